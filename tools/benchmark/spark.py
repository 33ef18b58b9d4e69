"""Measures aisle for Spark on two threads: rows a second beside a job that only copies, `rdd.pipe`, and two processes of the command.

All runs are of one session of Spark's, in turns; tools/spark/jobs.py has them. Rates are of the wall clock; the ratio by processor time says
more where the machine does other things too.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "spark"))

import environment  # noqa: E402
from measure import CommandFailed, Spread  # noqa: E402

MILLION = 1_000_000


def measure(binary, root, report, options, progress):
    """Adds the figures to the report."""
    try:
        environment.require_java()
        python = environment.python(progress)
    except (environment.Missing, environment.Unreachable) as problem:
        raise CommandFailed(str(problem) or "cannot reach a package index to install Spark") from None
    folder, _ = environment.archive(python)
    millions, rounds = (2, 2) if options.quick else (20, 3)
    progress(f"{millions} million titles, {rounds} rounds")
    runs = jobs(python, folder, ["--folder", root / ".build/bench/spark", "--binary", binary, "--millions", millions, "--rounds", rounds,
                                 "--seed", options.seed], progress)
    add_figures(report, runs)
    report.samples["spark"] = runs


def jobs(python, aisle, arguments, progress):
    """The runs by name. The process has a session of its own, so that its processor time can be told from that of others."""
    words = [str(part) for part in [python, HERE.parent / "spark/jobs.py", *arguments]]
    runs = {}
    with tempfile.TemporaryFile("w+") as log, \
            subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True,
                             env={**environment.clean(), "PYTHONPATH": str(aisle)}) as process:
        try:
            for line in process.stdout:
                run = json.loads(line)
                runs.setdefault(run.pop("name"), []).append(run)
                progress(line.strip())
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            raise
        if process.wait() != 0:
            log.seek(0)
            raise CommandFailed(f"tools/spark/jobs.py: exit {process.returncode}: {log.read().strip()[-1000:]}")
    return runs


def rates(runs, kind="wall"):
    return [run["rows"] / run[kind] for run in runs]


def compared(runs, peer, kind="wall"):
    """How many times the peer's rate aisle's is, round by round."""
    fast, slow = ("aisle, different", "copy, different") if peer == "copy, different" else ("aisle", peer)
    return Spread.of(ours / theirs for ours, theirs in zip(rates(runs[fast], kind), rates(runs[slow], kind)))


def add_figures(report, runs):
    names = {"copy": "mapInArrow that copies", "aisle": "aisle", "rdd.pipe": "rdd.pipe from the table to the command",
             "rdd.pipe, text": "rdd.pipe from a text to the command", "two processes": "two processes of the command",
             "copy, different": "copies, all titles different", "aisle, different": "aisle, all titles different"}
    for key, name in names.items():
        report.rate(f"{name}: rows a second", Spread.of(rates(runs[key])))
    for kind, shown in [("wall", "wall"), ("cpu", "CPU")]:
        report.ratio_above(f"aisle / copies ({shown})", compared(runs, "copy", kind), at_least=0.5)
        report.ratio_above(f"aisle / copies, all titles different ({shown})", compared(runs, "copy, different", kind), at_least=0.5)
    report.ratio("aisle / rdd.pipe from the table (wall)", compared(runs, "rdd.pipe"), at_least=5)
    report.ratio("aisle / rdd.pipe from a text (wall)", compared(runs, "rdd.pipe, text"), at_least=5)
    report.ratio("aisle / two processes of the command (wall)", compared(runs, "two processes"))
    report.seconds("CPU a million rows", Spread.of(run["cpu"] / run["rows"] * MILLION for run in runs["aisle"]))
    for key in sorted(key for key in runs if key.startswith("partitions")):
        report.seconds(f"{key[11:]} × a million rows: CPU a million",
                       Spread.of(run["cpu"] / run["rows"] * MILLION for run in runs[key]))
    loads = [run["load"] for group in runs.values() for run in group]
    report.ratio("load of the machine meanwhile; 2 is Spark itself", Spread.of(loads))
