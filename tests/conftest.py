"""What all tests share: English, whatever the language of whoever runs them, and more workers than cores."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import pytest

os.environ["LC_ALL"] = "C.UTF-8"
os.environ["TILEWRIGHT_REVIEW_NICENESS"] = "0"  # the tests keep all cores busy
os.environ["TILEWRIGHT_WARM_UP"] = "0"  # dozens of servers are started that need little of what there is to load


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three workers for two cores: tests often wait for a browser, a server, or a kernel that another one compiles."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + cores // 2


@pytest.fixture(scope="session", autouse=True)
def output_stays_open() -> None:
    """Keep absl, which OpenSpiel brings, from closing the stream that pytest reads.

    When uvicorn sets up logging, every handler is closed, and absl's closes what was the standard error when absl was
    imported, unless it is still.
    """
    with suppress(ImportError):
        from absl import logging

        logging.get_absl_handler().python_handler.stream = sys.__stderr__
