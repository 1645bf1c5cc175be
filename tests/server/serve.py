"""The real server, ``tilewright.server.run``, but bots answer after TILEWRIGHT_TEST_PAUSE seconds."""

import os

from tilewright.server import rooms, run

rooms.PLEASANT_THINKING = float(os.environ.get("TILEWRIGHT_TEST_PAUSE", "0"))

if __name__ == "__main__":
    run.main()
