"""The command line: ``tilewright play``, ``show``, ``replay``, ``perft``, ``bench`` and ``version``."""
