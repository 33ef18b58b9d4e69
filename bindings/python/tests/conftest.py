from __future__ import annotations

import pathlib
from collections.abc import Iterator

import pytest
from hypothesis import settings

import aisle

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def store() -> aisle.Store:
    return aisle.Store("kroger")


def corpus(name: str) -> Iterator[tuple[str, str]]:
    """A file's items and labels."""
    for line in (ROOT / "corpus" / name).read_text().splitlines():
        if line and not line.startswith("#"):
            item, label = line.split("\t")[:2]
            yield item, label


@pytest.fixture(scope="session")
def titles() -> list[str]:
    return [item for item, _ in corpus("catalog.tsv")]


@pytest.fixture(autouse=True)
def _names(doctest_namespace: dict[str, object]) -> None:
    doctest_namespace["aisle"] = aisle


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--large", action="store_true", help="also run what takes gigabytes of memory")
    parser.addoption("--rounds", type=int, default=1, help="how many times as many random inputs are tried")


def pytest_configure(config: pytest.Config) -> None:
    settings.register_profile("rounds", max_examples=200 * int(config.getoption("--rounds")), deadline=None)
    settings.load_profile("rounds")
