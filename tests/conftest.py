"""What all tests share: English, whatever the language of whoever runs them, and who runs which test when."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Generator
from contextlib import suppress

import hypothesis
import pytest

os.environ["LC_ALL"] = "C.UTF-8"
os.environ["TILEWRIGHT_REVIEW_NICENESS"] = "0"  # the tests keep all cores busy
os.environ["TILEWRIGHT_WARM_UP"] = "0"  # dozens of servers are started that need little of what there is to load

hypothesis.settings.register_profile("untimed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("untimed")  # on a busy machine anything may take long

LONGEST = (
    "learn/test_runs.py",
    "games/test_courtyard.py",
    "server/test_browser_reviews.py",
    "learn/test_self_play.py",
    "search/test_champion.py",
    "arena/test_cluster.py",
    "server/test_chaos.py",
    "server/test_kill.py",
    "bots/test_playout_search.py",
    "envs/test_cuda.py",
    "server/test_reviews.py",
    "server/test_durability.py",
)
"""The files that take longest, most of them because they compile: a long test that begins last runs alone."""


SLOW = (
    "arena/test_cluster.py",
    "arena/test_interruptions.py",
    "arena/test_ratings.py",
    "bots/test_playout_search.py",
    "cli/test_failing_bots.py",
    "cli/test_puzzles_command.py",
    "envs/test_benchmark_environments.py",
    "envs/test_wide_scores.py",
    "games/test_faulty_games.py",
    "insight/test_mining.py",
    "properties/test_interpreted.py",
    "server/test_browser_accessibility.py",
    "server/test_browser_analysis.py",
    "server/test_browser_comfort.py",
    "server/test_browser_correspondence.py",
    "server/test_browser_daily.py",
    "server/test_browser_endings.py",
    "server/test_browser_evaluation.py",
    "server/test_browser_explanations.py",
    "server/test_browser_friends.py",
    "server/test_browser_hints.py",
    "server/test_browser_languages.py",
    "server/test_browser_last_move.py",
    "server/test_browser_layout.py",
    "server/test_browser_offline.py",
    "server/test_browser_passkeys.py",
    "server/test_browser_puzzles.py",
    "server/test_browser_reviews.py",
    "server/test_browser_scoring.py",
    "server/test_browser_screens.py",
    "server/test_browser_taste.py",
    "server/test_browser_writing.py",
    "server/test_careless_guests.py",
    "server/test_draining.py",
    "server/test_faulty_games_at_tables.py",
    "server/test_fuzz.py",
    "server/test_guest_games.py",
    "server/test_kill.py",
    "server/test_other_games.py",
)
"""Files that only ``make test-all`` runs, like tests that are marked ``slow``."""


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    """Mark slow files before pytest chooses by marker, and put the longest files first after it has chosen."""
    for item in items:
        if _name(item) in SLOW:
            item.add_marker("slow")
    yield
    _begin_with_the_longest(items)


def _begin_with_the_longest(items: list[pytest.Item]) -> None:
    """Let every worker, which is given an equal share of this list, begin with some of the longest files."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    heads: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for number, name in enumerate(LONGEST):
        heads[number % workers] += [item for item in items if _name(item) == name]
    long = {item for head in heads for item in head}
    others = deque(item for item in items if item not in long)
    shares = [len(items) * (worker + 1) // workers for worker in range(workers)]
    items.clear()
    for head, end in zip(heads, shares, strict=True):
        items += head
        while others and len(items) < end:
            items.append(others.popleft())
    items += others


def _name(item: pytest.Item) -> str:
    """The folder and the file of a test, as they are listed above."""
    return "/".join(item.path.parts[-2:])


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
