"""What all tests share: English, whatever the language of whoever runs them, and more workers than cores."""

from __future__ import annotations

import os

import pytest

os.environ["LC_ALL"] = "C.UTF-8"
os.environ["TILEWRIGHT_REVIEW_NICENESS"] = "0"  # the tests keep all cores busy


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three workers for two cores: tests often wait for a browser, a server, or a kernel that another one compiles."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + cores // 2
