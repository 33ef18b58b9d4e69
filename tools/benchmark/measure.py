"""Runs commands and measures them: CPU time from the child's own accounting, wall time with its start and end, memory from /proc."""
import contextlib
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass


class CommandFailed(Exception):
    """A command under measurement did not exit with 0."""


@dataclass(frozen=True)
class Command:
    arguments: list
    input: pathlib.Path
    folder: pathlib.Path
    copies: int = 1  # how many of it run at once


@dataclass(frozen=True)
class Sample:
    """One run, in seconds. `cpu` is user and system time of the whole process, all threads; of all copies."""
    cpu: float
    wall: float


def environment():
    """The caller's environment without what would change where the tool finds its stores, and without the caller's corrections."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AISLE_")}
    return kept | {"XDG_DATA_HOME": "/nonexistent"}


def run(command):
    """One run of a command: input from a file, output to /dev/null."""
    with contextlib.ExitStack() as files:
        errors = files.enter_context(tempfile.TemporaryFile())
        sources = [files.enter_context(open(command.input, "rb")) for _ in range(command.copies)]
        start = time.perf_counter()
        children = []
        cpu = 0.0
        try:
            for source in sources:
                children.append(subprocess.Popen(command.arguments, stdin=source, stdout=subprocess.DEVNULL, stderr=errors,
                                                 cwd=command.folder, env=environment()))
            for child in children:
                _, status, usage = os.wait4(child.pid, 0)
                child.returncode = os.waitstatus_to_exitcode(status)
                cpu += usage.ru_utime + usage.ru_stime
        finally:  # a copy that cannot be started, or Ctrl-C, leaves none behind
            for child in children:
                if child.returncode is None:
                    child.kill()
                    child.wait()
        wall = time.perf_counter() - start
        failed = next((child.returncode for child in children if child.returncode != 0), 0)
        if failed:
            errors.seek(0)
            raise CommandFailed(f"{' '.join(map(str, command.arguments))}: exit {failed}: "
                                + errors.read(2000).decode(errors="replace").strip())
    return Sample(cpu, wall)


def interleave(commands, repetitions, progress, warm_up=True):
    """Runs all commands in turn, `repetitions` times, after one unmeasured round to warm up; every other round goes backwards.

    A change in the machine's speed meets all commands alike this way. Returns each name's samples, in order of rounds.
    """
    samples = {name: [] for name in commands}
    for number in range(0 if warm_up else 1, repetitions + 1):
        progress(f"round {number} of {repetitions}" if number else "warm-up of " + ", ".join(commands))
        for name in list(commands) if number % 2 else reversed(commands):
            sample = run(commands[name])
            if number > 0:
                samples[name].append(sample)
    return samples


def output(command):
    """What a command writes to standard output."""
    with open(command.input, "rb") as source:
        result = subprocess.run(command.arguments, stdin=source, stdout=subprocess.PIPE, cwd=command.folder, env=environment())
    if result.returncode != 0:
        raise CommandFailed(f"{' '.join(map(str, command.arguments))}: exit {result.returncode}")
    return result.stdout


@dataclass(frozen=True)
class Spread:
    """A median and the quartiles around it."""
    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values):
        values = list(values)
        if len(values) < 2:
            return cls(values[0], values[0], values[0])
        low, _, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(statistics.median(values), low, high)


def times(samples, kind, less=None, per=1.0):
    """The `cpu` or `wall` times of samples divided by `per`, less the median of other samples (a program's start-up)."""
    start_up = statistics.median(getattr(sample, kind) for sample in less) if less else 0.0
    return [(getattr(sample, kind) - start_up) / per for sample in samples]


def ratio(slow, fast):
    """How many times faster `fast` is than `slow`, round by round."""
    pairs = [(left, right) for left, right in zip(slow, fast) if right > 0]
    if not pairs:
        raise CommandFailed("the runs are too short, or the machine too busy, to tell the work from the start-up; try again")
    return Spread.of(left / right for left, right in pairs)


# Memory

class _Child:
    """A process whose input and output are pipes, so that it can be looked at before it ends."""

    def __init__(self, arguments, folder, drain):
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, cwd=folder, env=environment(),
                                        stdout=subprocess.PIPE if drain else subprocess.DEVNULL)

    def status(self, field):
        """A size from /proc/PID/status, in bytes."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
        raise CommandFailed(f"no {field} for process {self.process.pid}; it has ended early")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe and not pipe.closed:
                try:
                    pipe.close()
                except BrokenPipeError:
                    pass
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def peak_on_file(arguments, path, lines, folder):
    """Peak memory in bytes after a file of `lines` lines, read before it, was answered in full.

    Standard input comes second and stays open, so the process is alive when its peak is read: `ru_maxrss` would count
    the memory of the process it was forked from.
    """
    with _Child([*arguments, str(path), "-"], folder, drain=True) as child:
        watchdog = threading.Timer(120, child.process.kill)
        watchdog.start()
        try:
            answered = 0
            while answered < lines:
                block = child.process.stdout.read1(1 << 20)
                if not block:
                    raise CommandFailed(f"only {answered} of {lines} lines came back")
                answered += block.count(b"\n")
            return child.status("VmHWM")
        finally:
            watchdog.cancel()


# Forked from a small process: `ru_maxrss` of a process counts the memory of the one it was forked from, this one's.
_PEAK = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(status)
print(child.returncode, usage.ru_maxrss)
"""


def peak(arguments, folder):
    """Peak memory in bytes of a process that reads no standard input, seen from its end."""
    result = subprocess.run([sys.executable, "-S", "-c", _PEAK, *map(str, arguments)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, cwd=folder, env=environment(), check=True)
    code, size = map(int, result.stdout.split())
    if code != 0:
        raise CommandFailed(f"{' '.join(map(str, arguments))}: exit {code}")
    return size * (1 if sys.platform == "darwin" else 1024)


def memory_on_stream(arguments, path, rounds, folder):
    """Memory after a quarter and at the end of a stream of `rounds` times a file's lines, all distinct: a list of
    (resident, peak) in bytes."""
    text = path.read_bytes()
    seen = []
    with _Child(arguments, folder, drain=False) as child:
        for number in range(rounds):
            child.process.stdin.write(text.replace(b"\n", b" k%d\n" % number) if number else text)
            child.process.stdin.flush()
            if number + 1 in (max(1, rounds // 4), rounds):
                time.sleep(0.1)  # what stands in the pipe
                seen.append((child.status("VmRSS"), child.status("VmHWM")))
    return seen
