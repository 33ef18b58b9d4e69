"""A standalone cluster of Spark's on loopback: a master and workers, which are stopped by their ids, whatever happens."""
from __future__ import annotations

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import time
from collections.abc import Iterator

SECONDS_TO_START = 60


class Broken(Exception):
    """The cluster does not do what it should."""


def processes_of(session: int) -> list[int]:
    """The processes of a session, by /proc: what a process started, and what that started, also after it has ended."""
    found = []
    for place in pathlib.Path("/proc").iterdir():
        if place.name.isdigit():
            with contextlib.suppress(OSError):
                # The name stands in parentheses and may hold anything; behind it come the state, the parent, the group, and the session.
                fields = (place / "stat").read_text(errors="replace").rpartition(")")[2].split()
                if int(fields[3]) == session and fields[0] != "Z":
                    found.append(int(place.name))
    return found


def stop(session: int) -> None:
    """Ends the processes of a session that was started here: politely, and after five seconds by force."""
    for number, patience in [(signal.SIGTERM, 5.0), (signal.SIGKILL, 5.0)]:
        deadline = time.monotonic() + patience
        for process in processes_of(session):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)
        while processes_of(session):
            if time.monotonic() > deadline:
                break
            time.sleep(0.1)
        else:
            return
    raise Broken(f"processes of session {session} do not end: {processes_of(session)}")


class Daemon:
    """A master or a worker, in a session of its own, so that its executors and their Python workers are found by it."""

    def __init__(self, spark: pathlib.Path, folder: pathlib.Path, name: str, environment: dict[str, str], *arguments: str) -> None:
        self.log = folder / f"{name}.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen([str(spark / "bin/spark-class"), *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            cwd=folder, env=environment, start_new_session=True)

    def told(self, pattern: str) -> re.Match[str]:
        """What the log says, once it does."""
        deadline = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < deadline and self.process.poll() is None:
            if found := re.search(pattern, self.log.read_text(errors="replace")):
                return found
            time.sleep(0.1)
        raise Broken(f"{self.log.name} does not say {pattern}: {self.log.read_text(errors='replace')[-2000:]}")

    def children(self, mark: str) -> list[int]:
        """The processes that it started, and they did, whose command line has the mark."""
        found = []
        for process in processes_of(self.process.pid):
            with contextlib.suppress(OSError):
                if mark in pathlib.Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace"):
                    found.append(process)
        return found

    def kill(self) -> None:
        """Kills this one process, and not what it started."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        # Its children are in its session even where it has ended itself.
        stop(self.process.pid)
        self.process.wait()


class Cluster:
    def __init__(self, master: Daemon, workers: list[Daemon], url: str) -> None:
        self.master, self.workers, self.url = master, workers, url


@contextlib.contextmanager
def running(spark: pathlib.Path, folder: pathlib.Path, workers: int, environment: dict[str, str]) -> Iterator[Cluster]:
    """A cluster with workers of one core and a gigabyte each, until the end of the block."""
    environment = {**environment, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(spark), "SPARK_DAEMON_MEMORY": "256m",
                   # A worker that is gone is noticed by its connection; this is for one whose connection stays.
                   "SPARK_MASTER_OPTS": "-Dspark.worker.timeout=15"}
    local = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
    with contextlib.ExitStack() as stack:
        def started(name: str, *arguments: str) -> Daemon:
            daemon = Daemon(spark, folder, name, environment, *arguments)
            stack.callback(daemon.stop)
            return daemon

        master = started("master", "org.apache.spark.deploy.master.Master", *local)
        url = master.told(r"Starting Spark master at (spark://127\.0\.0\.1:\d+)")[1]
        found = [started(f"worker-{number}", "org.apache.spark.deploy.worker.Worker", *local, "--cores", "1", "--memory", "1g",
                         "--work-dir", str(folder / f"work-{number}"), url) for number in range(workers)]
        for worker in found:
            worker.told("Successfully registered with master")
        yield Cluster(master, found, url)
