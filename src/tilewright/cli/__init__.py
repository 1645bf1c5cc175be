"""The command line: ``tilewright play``, ``serve``, ``arena`` and the other commands, one file each."""
