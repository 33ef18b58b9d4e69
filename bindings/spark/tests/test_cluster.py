"""A job on a standalone cluster of a master and two workers, of which one process is killed in the middle."""
from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import time
from collections.abc import Callable

import cluster
import jobs
import pyarrow
import pytest
from pyarrow import compute, parquet

import aisle

FILES = 24
"""How many files the rows come in: each is a task of its own."""


def write_rows(folder: pathlib.Path, titles: pyarrow.Array, count: int) -> None:
    folder.mkdir()
    each = count // FILES
    for number in range(FILES):
        ids = pyarrow.array(range(number * each, (number + 1) * each))
        names = titles.take(compute.bit_wise_and(compute.multiply(ids, 7919), 4095))
        parquet.write_table(pyarrow.table({"id": ids, "name": names}), folder / f"part-{number:02}.parquet")


def committed(folder: pathlib.Path) -> int:
    """How many tasks have ended and handed their rows in, while the job runs."""
    return len(list(folder.glob("_temporary/0/task_*")))


def kill_a_worker(running: cluster.Cluster, log: pathlib.Path) -> None:
    running.workers[0].kill()


def kill_an_executor(running: cluster.Cluster, log: pathlib.Path) -> None:
    found = running.workers[0].children("CoarseGrainedExecutorBackend")
    assert len(found) == 1
    os.kill(found[0], signal.SIGKILL)


def kill_a_python_worker(running: cluster.Cluster, log: pathlib.Path) -> None:
    """Kills the process that has the library in it; again where it had just nothing to do."""
    for _ in range(20):
        found = running.workers[0].children("pyspark.daemon")
        if len(found) >= 2:  # the one that forks, and what it forked
            os.kill(max(found), signal.SIGKILL)
        time.sleep(0.1)
        if "Lost task" in log.read_text():
            return


@pytest.mark.parametrize("kill", [
    kill_a_worker, pytest.param(kill_an_executor, marks=pytest.mark.long), pytest.param(kill_a_python_worker, marks=pytest.mark.long)])
def test_a_process_is_killed_in_the_middle(kill: Callable[[cluster.Cluster, pathlib.Path], None], request: pytest.FixtureRequest,
                                           tmp_path: pathlib.Path, archive: pathlib.Path, titles: pyarrow.Array) -> None:
    rows: int = request.config.getoption("--rows") // FILES * FILES
    write_rows(tmp_path / "items.parquet", titles, rows)
    out, log = tmp_path / "sections.parquet", tmp_path / "job.log"
    with cluster.running(jobs.SPARK, tmp_path, 2, jobs.environment()) as running:
        settings = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.executor.memory": "768m",
                    "spark.driver.memory": "768m", "spark.sql.files.openCostInBytes": "128m", "spark.task.maxFailures": "20"}
        words = jobs.submission(running.url, archive, "--in", tmp_path / "items.parquet", "--out", out, settings=settings)
        with log.open("w") as told:
            job = subprocess.Popen(words, cwd=tmp_path, env=jobs.environment(), stdin=subprocess.DEVNULL, stdout=told, stderr=told,
                                   start_new_session=True)
        try:
            deadline = time.monotonic() + 120
            while job.poll() is None and committed(out) < 3 and time.monotonic() < deadline:
                time.sleep(0.02)
            before = committed(out)
            kill(running, log)
            assert 3 <= before < FILES - 2, f"{before} of {FILES} tasks had ended: not the middle\n{log.read_text()[-3000:]}"
            code = job.wait(timeout=600)
        finally:
            cluster.stop(job.pid)
    assert code == 0, log.read_text()[-5000:]
    assert "Lost " in log.read_text(), "the job did not notice"
    check_rows(out, rows, titles)
    assert not any(cluster.processes_of(daemon.process.pid) for daemon in [running.master, *running.workers])


def check_rows(out: pathlib.Path, rows: int, titles: pyarrow.Array) -> None:
    """Every row is there once, with its answer."""
    found = parquet.read_table(out)
    ids = found["id"]
    assert found.num_rows == rows
    assert compute.sum(ids).as_py() == rows * (rows - 1) // 2 and compute.count_distinct(ids).as_py() == rows
    pairs = found.group_by(["name", "section", "reason"]).aggregate([]).to_pydict()
    assert pairs["section"] == aisle.Store("kroger").categorize(pairs["name"]) and set(pairs["reason"]) == {None}
    assert len(pairs["name"]) == len(set(pairs["name"])) > 4000


@pytest.mark.long
def test_a_cluster_is_stopped_by_a_failure_too(tmp_path: pathlib.Path) -> None:
    with pytest.raises(KeyboardInterrupt), cluster.running(jobs.SPARK, tmp_path, 1, jobs.environment()) as running:
        raise KeyboardInterrupt
    assert not any(cluster.processes_of(daemon.process.pid) for daemon in [running.master, *running.workers])
