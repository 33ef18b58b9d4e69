"""What a second thread brings: two threads beside one, and beside what the machine has to give.

A virtual machine's two processors are often two threads of one core, or share theirs with somebody else's, from one second to the next;
then no program is nearly twice as fast on both. So two peers run in the same rounds: two processes that share nothing but the machine,
and arithmetic that touches no memory.
"""
import dataclasses
import os
import sys

from measure import Command, interleave, ratio, times

ROUNDS = 25  # wall times of threads hang most on what else the machine does, and these runs are short
PROBE = [sys.executable, "-I", "-S", "-c", "for _ in range(4_000_000): pass"]


def measure(bench, progress):
    """Measures both inputs, where there is a second core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cores < 2:
        return progress("notice: one core, the figures of two threads are left out")
    for name, path in [("list", bench.inputs.list), ("titles", bench.inputs.titles)]:
        one = Command(bench.aisle("--jobs", "1"), path, bench.root)
        probe = Command(PROBE, bench.inputs.one, bench.root)
        commands = {"one thread": one, "two threads": Command(bench.aisle("--jobs", "2"), path, bench.root),
                    "two processes": dataclasses.replace(one, copies=2), "probe": probe,
                    "two probes": dataclasses.replace(probe, copies=2)}
        for kind in ("one thread", "two threads"):
            commands[f"{kind}, one item"] = dataclasses.replace(commands[kind], input=bench.inputs.one)
        progress(f"one thread and two, {name}")
        samples = interleave(commands, ROUNDS, lambda message: None)
        bench.report.record(f"threads, {name}", samples)
        report(bench.report, name, samples)


def report(table, name, samples):
    """Adds an input's figures."""
    def wall(kind):
        return times(samples[kind], "wall")

    def net(kind):
        return times(samples[kind], "wall", less=samples[f"{kind}, one item"])

    def twice(seconds):
        return [2 * each for each in seconds]

    table.ratio(f"{name}: two threads / one (wall, without start-up)", ratio(net("one thread"), net("two threads")), at_least=1.8)
    table.ratio(f"{name}: two threads / one (wall, whole run)", ratio(wall("one thread"), wall("two threads")))
    table.ratio(f"{name}: two processes at once / one (wall, whole run)", ratio(twice(wall("one thread")), wall("two processes")))
    table.ratio(f"{name}: two threads / two processes at once (wall, whole run)",
                ratio(wall("two processes"), twice(wall("two threads"))), at_least=0.9)
    table.ratio(f"{name}: arithmetic, two at once / one (wall)", ratio(twice(wall("probe")), wall("two probes")))
