from __future__ import annotations

import os
import pathlib
import sys
from collections.abc import Iterator

import pyarrow
import pytest
from pyspark.sql import SparkSession

ROOT = pathlib.Path(__file__).resolve().parents[3]


def corpus(name: str) -> list[str]:
    """A file's items."""
    lines = (ROOT / "corpus" / name).read_text().splitlines()
    return [line.split("\t")[0] for line in lines if line and not line.startswith("#")]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rows", type=int, default=400_000, help="how many rows the jobs on the cluster have")
    parser.addoption("--quick", action="store_true", help="leave out what takes long and differs little from the rest")
    parser.addoption("--archive", type=pathlib.Path, required=True, help="aisle as an archive, which the jobs are shipped")
    parser.addoption("--binary", type=pathlib.Path, help="the command, to pack a store and teach corrections with")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long: left out with --quick")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--quick"):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("long")])
        items[:] = [item for item in items if not item.get_closest_marker("long")]


@pytest.fixture(scope="session")
def items() -> list[str]:
    return corpus("catalog.tsv") + corpus("lists.tsv")


@pytest.fixture(scope="session")
def titles() -> pyarrow.Array:
    return pyarrow.array(corpus("catalog.tsv"))


@pytest.fixture(scope="session")
def archive(request: pytest.FixtureRequest) -> pathlib.Path:
    path: pathlib.Path = request.config.getoption("--archive")
    return path


@pytest.fixture(scope="session")
def binary(request: pytest.FixtureRequest) -> pathlib.Path:
    path: pathlib.Path | None = request.config.getoption("--binary")
    if path is None:
        pytest.skip("needs --binary, the command `aisle`")
    return path


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Spark on two threads of this machine."""
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    builder = SparkSession.builder.master("local[2]").appName("aisle's tests")
    settings = {"spark.ui.enabled": "false", "spark.driver.memory": "2g", "spark.sql.shuffle.partitions": "2",
                "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse"))}
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
