"""The command line: ``tilewright play``, ``serve``, ``show``, ``replay``, ``perft``, ``bench`` and ``version``."""
