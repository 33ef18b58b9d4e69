"""What a second thread brings: the pipeline beside one thread, and beside what the machine has to give just then.

A virtual machine's two processors are often two threads of one core, or share theirs with somebody else's, from one second to the next.
So each round is framed by arithmetic that touches no memory, once alone and twice at once: where two do not work nearly twice as much as
one, there were no two cores, and the round says nothing about the pipeline.
"""
import dataclasses
import os
import sys

from measure import Command, Spread, ratio, run, times

WHOLE = 1.9  # how many cores' work two probes must do, before a round and after it, for it to count
ENOUGH = 9  # rounds that count
MOST = 40
TARGET = 1.8


def measure(bench, progress):
    """Measures both inputs, where there is a second core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cores < 2:
        return progress("notice: one core, the figures of two threads are left out")
    for name, path in [("list", bench.inputs.list), ("titles", bench.inputs.titles)]:
        _measure(bench, progress, name, path)


def _measure(bench, progress, name, path):
    one = Command(bench.aisle("--jobs", "1"), path, bench.root)
    commands = {"one thread": one, "two threads": Command(bench.aisle("--jobs", "2"), path, bench.root),
                "two processes": dataclasses.replace(one, copies=2)}
    for kind in ("one thread", "two threads"):
        commands[f"{kind}, one item"] = dataclasses.replace(commands[kind], input=bench.inputs.one)
    progress(f"one thread and two, {name}")
    samples = {kind: [] for kind in commands}
    given = []
    before = _cores(bench)
    while sum(cores >= WHOLE for cores in given) < ENOUGH and len(given) < MOST:
        for kind in list(commands) if len(given) % 2 else reversed(commands):
            samples[kind].append(run(commands[kind]))
        after = _cores(bench)
        given.append(min(before, after))
        before = after
    bench.report.record(f"threads, {name}", samples)
    report(bench.report, name, samples, given)


def report(table, name, samples, given):
    """Adds the figures: of the rounds that count, with the target, and of all. Where none counts, all have the target."""
    starts = {kind: samples[f"{kind}, one item"] for kind in ("one thread", "two threads")}
    one, two = (times(samples[kind], "wall", less=starts[kind]) for kind in ("one thread", "two threads"))
    whole = times(samples["one thread"], "wall")
    rounds = [place for place, cores in enumerate(given) if cores >= WHOLE]
    if rounds:
        table.ratio(f"{name}: two threads / one, {len(rounds)} of {len(given)} rounds: two whole cores (wall)",
                    ratio([one[place] for place in rounds], [two[place] for place in rounds]), at_least=TARGET)
    table.ratio(f"{name}: two threads / one, all rounds (wall, without start-up)", ratio(one, two),
                at_least=None if rounds else TARGET)
    table.ratio(f"{name}: two threads / one, all rounds (wall, whole run)", ratio(whole, times(samples["two threads"], "wall")))
    table.ratio(f"{name}: two processes at once / one, all rounds (wall, whole run)",
                ratio([2 * seconds for seconds in whole], times(samples["two processes"], "wall")))
    table.ratio(f"{name}: arithmetic on two cores / one, all rounds (what the machine gave)", Spread.of(given))


def _cores(bench):
    """How many cores' work the machine does on two probes at once."""
    probe = Command([sys.executable, "-I", "-S", "-c", "for _ in range(4_000_000): pass"], bench.inputs.one, bench.root)
    alone, both = run(probe), run(dataclasses.replace(probe, copies=2))
    return 2 * alone.wall / both.wall
