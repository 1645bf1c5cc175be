"""Bots as programs of their own, in any language: the text protocol of docs/bots.md, both sides of it.

``speaker`` makes any bot a program that speaks the protocol, ``client`` makes any program that speaks it a bot.
"""
