"""Measures `aisle serve` with wrk, one item and a thousand to a request, beside a server of the same framework that does nothing.

Both get the same requests. wrk runs on the same machine, so that they share its cores; all figures are of the same run, alternating.
"""

import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "server"))

from measure import CommandFailed, Spread  # noqa: E402
from running import Broken, Server, free_port  # noqa: E402
from wire import Connection, Cut, request  # noqa: E402

CONNECTIONS = 64
MANY = 1_000
MANY_CONNECTIONS = 8
MILLION = 1_000_000
STARTS = 9
LUA = """
local bodies, place = dofile({bodies!r}), 0
local headers = {{ ["Content-Type"] = "application/json" }}
request = function()
  place = place % #bodies + 1
  return wrk.format("POST", "/v1/categorize", headers, bodies[place])
end
"""


class Run:
    """What one run of wrk counted. Times are in seconds."""

    def __init__(self, text):
        self.rate = float(re.search(r"Requests/sec:\s+([0-9.]+)", text)[1])
        self.count = int(re.search(r"([0-9]+) requests in", text)[1])
        self.median, self.p99 = (self.seconds(re.search(rf"\s{share}%\s+([0-9.]+)(us|ms|s|m)\s", text)) for share in ("50", "99"))
        if failures := re.search(r"(Non-2xx or 3xx responses|Socket errors): .*", text):
            raise CommandFailed(f"wrk: {failures[0]}")

    @staticmethod
    def seconds(match):
        return float(match[1]) * {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60}[match[2]]


def wrk(host, seconds, connections, script):
    words = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "--timeout", "20s", "-s", str(script)]
    ended = subprocess.run([*words, f"http://{host}/"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise CommandFailed(f"wrk: exit {ended.returncode}: {(ended.stderr or ended.stdout).strip()}")
    return Run(ended.stdout)


def write_script(folder, name, bodies):
    """A script for wrk that sends the bodies in turn."""
    listed = folder / f"{name}-bodies.lua"
    # JSON's escapes of texts in ASCII are Lua's but for \u and \/, so a long bracket it is.
    listed.write_text("return {\n" + ",\n".join(f"[==[{json.dumps(body)}]==]" for body in bodies) + "\n}\n")
    script = folder / f"{name}.lua"
    script.write_text(LUA.format(bodies=str(listed)))
    return script


def items(root):
    lines = (root / "corpus/lists.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t")[0] for line in lines if line and not line.startswith("#")]


def start(binary, root, folder):
    """Starts the server, and gives it with the seconds from its start to its first answer."""
    began = time.perf_counter()
    server = Server(binary, root, folder / "server", None, is_awaited=False)
    while time.perf_counter() - began < 20:
        with contextlib.suppress(OSError, Cut), Connection(server.port, 5) as connection:
            connection.send(request("GET", "/health", host=server.host))
            if connection.receive().status == 200:
                return server, time.perf_counter() - began
        if server.process.poll() is not None:
            break
        time.sleep(0.0005)
    server.kill()
    raise CommandFailed(f"the server does not answer: {server.said()}")


@contextlib.contextmanager
def running(program):
    """The host and port of the empty server, while it runs."""
    port = free_port()
    process = subprocess.Popen([str(program), str(port)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 20
        while process.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(OSError, Cut), Connection(port, 5) as connection:
                connection.send(request("GET", "/health", host=f"127.0.0.1:{port}"))
                if connection.receive().status == 200:
                    break
            time.sleep(0.01)
        else:
            raise CommandFailed("the empty server does not answer")
        yield f"127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def measure(binary, root, empty, report, is_quick, progress):
    """Adds the figures to the report."""
    if not shutil.which("wrk"):
        raise CommandFailed("no wrk here; tools/bench --install-peers installs it")
    with tempfile.TemporaryDirectory(prefix="aisle-bench-") as name:
        folder, known = pathlib.Path(name), items(root)
        (folder / "server").mkdir()
        one = write_script(folder, "one", [{"items": [item]} for item in known[:500]])
        many = write_script(folder, "many", [{"items": (known * MANY)[first : first + MANY]} for first in range(0, 8 * 97, 97)])
        progress(f"starting the server {STARTS} times")
        times, server = [], None
        try:
            for _ in range(STARTS):
                if server:
                    server.stop()
                server, seconds = start(binary, root, folder)
                times.append(seconds)
            report.milliseconds("start to first answer", Spread.of(times), at_most=100)
            with running(empty) as peer:
                measure_load(server, peer, one, many, report, is_quick, progress)
            measure_million(server, one, report, is_quick, progress)
        except Broken as problem:
            raise CommandFailed(str(problem)) from None
        finally:
            if server:
                server.kill()


def measure_load(server, peer, one, many, report, is_quick, progress):
    rounds, seconds = (3, 4) if is_quick else (7, 10)
    empty_runs, one_runs, many_runs = [], [], []
    for host in (peer, server.host):
        wrk(host, 1, CONNECTIONS, one)
    for number in range(rounds):
        progress(f"round {number + 1} of {rounds}")
        empty_runs.append(wrk(peer, seconds, CONNECTIONS, one))
        one_runs.append(wrk(server.host, seconds, CONNECTIONS, one))
        many_runs.append(wrk(server.host, seconds, MANY_CONNECTIONS, many))
    pairs = list(zip(empty_runs, one_runs))
    report.per_second("empty: requests a second", Spread.of(run.rate for run in empty_runs))
    report.per_second("one item: requests a second", Spread.of(run.rate for run in one_runs))
    report.ratio_above("one item / empty: requests a second", Spread.of(one.rate / empty.rate for empty, one in pairs), at_least=0.8)
    for label, runs in (("empty", empty_runs), ("one item", one_runs)):
        report.milliseconds(f"{label}: median", Spread.of(run.median for run in runs))
        report.milliseconds(f"{label}: 99th percentile", Spread.of(run.p99 for run in runs))
    report.ratio_below("one item / empty: 99th percentile", Spread.of(one.p99 / empty.p99 for empty, one in pairs), at_most=2)
    report.per_second(f"{MANY:,} items a request: items a second", Spread.of(MANY * run.rate for run in many_runs), at_least=1e6)


def measure_million(server, one, report, is_quick, progress):
    """What a million requests leave in memory, and how fast the server ends after them."""
    early, count, wanted = server.memory(), 0, MILLION // 10 if is_quick else MILLION
    progress(f"{early:.1f} MB resident; on to {wanted:,} requests")
    while count < wanted:
        count += wrk(server.host, 10, CONNECTIONS, one).count
    report.megabytes(f"resident after {count:,} requests", server.memory() * 2**20, at_most=80)
    report.megabytes("resident: growth since the rounds", max(0.0, server.memory() - early) * 2**20, at_most=5)
    took = server.stop()
    report.seconds("SIGTERM to the end", Spread(took, took, took), at_most=5)
