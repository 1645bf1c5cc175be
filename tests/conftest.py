"""What all tests share: English, whatever the language of whoever runs them."""

from __future__ import annotations

import os

os.environ["LC_ALL"] = "C.UTF-8"
