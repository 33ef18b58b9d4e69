"""Measures `aisle eval` on the project's corpus and on a million items, beside scikit-learn on the same pairs."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

import peers
from measure import Command, CommandFailed, Spread, interleave, output, peak, ratio, times

SCORES = peers.HERE / "sklearn/scores.py"
KINDS = ("names", "numbers")  # as an evaluation script has them, and as they are fastest


def measure(benchmark, progress):
    """Adds the figures to the benchmark's report."""
    with tempfile.TemporaryDirectory(dir=benchmark.cache) as folder:
        Evaluating(benchmark, pathlib.Path(folder), progress).run()


class Evaluating:
    def __init__(self, benchmark, folder, progress):
        self.benchmark, self.folder, self.progress = benchmark, folder, progress
        self.binary, self.root, self.inputs, self.report = benchmark.binary, benchmark.root, benchmark.inputs, benchmark.report
        self.rounds = max(3, benchmark.rounds // 2)
        self.python = benchmark.scikit_learn

    def run(self):
        own = self.folder / "own.json"
        output(self.command("bless", "--baseline", own))
        self.measure_own(own)
        self.measure_watch()
        baseline = self.folder / "titles.json"
        output(self.command("bless", "--corpus", self.inputs.corpus, "--baseline", baseline))
        commands = {"aisle eval": self.command("eval", "--corpus", self.inputs.corpus),
                    "aisle eval --baseline": self.command("eval", "--corpus", self.inputs.corpus, "--baseline", baseline)}
        if self.python:
            commands.update(self.peer_commands(commands["aisle eval"]))
        samples = interleave(commands, self.rounds, self.progress, warm_up=not self.benchmark.options.quick)
        self.report.record("evaluation, 1M items", samples)
        for name in ("aisle eval", "aisle eval --baseline"):
            self.report.seconds(f"`{name}`, 1M items: wall, whole run", Spread.of(times(samples[name], "wall")), at_most=2)
            self.report.seconds(f"`{name}`, 1M items: CPU, whole run", Spread.of(times(samples[name], "cpu")))
        for name in ("aisle eval", "aisle eval --baseline"):
            size = peak(commands[name].arguments, self.root)
            self.report.megabytes(f"`{name}`, 1M items: peak memory", size, at_most=600)
        for kind in KINDS if self.python else ():
            peer = f"scikit-learn, {kind}"
            for measured, shown in [("wall", "wall"), ("cpu", "CPU")]:
                self.report.ratio(f"`aisle eval`, 1M items / scikit-learn on the answers, {kind} ({shown}, whole run)",
                                  ratio(times(samples[peer], measured), times(samples["aisle eval"], measured)))
        if self.python:
            # Without start-up, what is left of the peer is reading the pairs and scoring them.
            for kind in KINDS:
                less = samples[f"scikit-learn, {kind}, one pair"]
                spread = Spread.of(times(samples[f"scikit-learn, {kind}"], "cpu", less=less))
                self.report.seconds(f"scikit-learn, 1M pairs, {kind}: CPU, without start-up", spread)

    def command(self, *arguments):
        return Command([str(self.binary), *map(str, arguments)], self.inputs.one, self.root)

    def measure_own(self, baseline):
        """The project's corpus, scored and compared, as CI does it."""
        if not (self.root / "corpus").is_dir():
            return self.progress("notice: no corpus here, its figure is left out")
        commands = {"aisle eval --baseline": self.command("eval", "--baseline", baseline)}
        items = len(re.findall(rb'"item":', baseline.read_bytes()))
        samples = interleave(commands, 7 * self.benchmark.rounds, lambda message: None)
        self.report.record("evaluation, own corpus", samples)
        runs = samples["aisle eval --baseline"]
        name = f"`aisle eval --baseline`, own corpus ({items:,} items)"
        self.report.milliseconds(f"{name}: wall, whole run", Spread.of(times(runs, "wall")), at_most=100)
        self.report.milliseconds(f"{name}: CPU", Spread.of(times(runs, "cpu")))

    def measure_watch(self):
        """From a shelf being saved to the flips on the screen."""
        if not (self.root / "corpus").is_dir():
            return
        for name in ("taxonomies", "corpus"):
            shutil.copytree(self.root / name, self.folder / "watched" / name)
        shelf = sorted((self.folder / "watched/taxonomies/shelves").glob("*.txt"))[0]
        text = shelf.read_text(encoding="utf-8")
        waits = []
        arguments = [self.binary, "eval", "--watch", "--taxonomies", "taxonomies", "--corpus", "corpus"]
        with subprocess.Popen(arguments, cwd=self.folder / "watched", stdout=subprocess.PIPE, text=True) as watch:
            try:
                next(line for line in watch.stdout if "watching" in line)
                for turn in range(3 * self.rounds):
                    time.sleep(0.3 + 0.017 * turn)  # not in step with its looks at the files
                    saved = shelf.with_suffix(".new")
                    saved.write_text(text + ("a good that no list has\n" if turn % 2 == 0 else ""), encoding="utf-8")
                    start = time.monotonic()
                    os.replace(saved, shelf)
                    next(line for line in watch.stdout if "items right" in line)
                    waits.append(time.monotonic() - start)
            finally:
                watch.terminate()
        self.report.milliseconds("`aisle eval --watch`, own corpus: from a shelf saved to its flips", Spread.of(waits), at_most=300)

    def peer_commands(self, own):
        """Writes the very pairs that `aisle eval` scores, and checks that the peer comes to the same number of right answers."""
        self.progress("pairs for scikit-learn")
        answered = Command([str(self.binary), "categorize", "--format", "tsv"], self.inputs.titles, self.root)
        answers = [line.rsplit("\t", 1)[1] for line in output(answered).decode().split("\n")[:-1]]
        rows = self.inputs.corpus.read_text(encoding="utf-8").split("\n")[:-1]
        store, pairs = self.benchmark.store, []
        for row, answer in zip(rows, answers, strict=True):
            labels = row.split("\t")[1].split("|")
            accepted = [label if label in store.names else store.section_of_shelf[label] for label in labels]
            pairs.append((answer if answer in accepted else accepted[0], answer))
        commands = {}
        for name, chosen in [("", pairs), (", one pair", pairs[:1])]:
            files = {"names": self.folder / f"pairs{len(chosen)}.tsv", "numbers": self.folder / f"pairs{len(chosen)}.npy"}
            files["names"].write_text("".join(f"{truth}\t{answer}\n" for truth, answer in chosen), encoding="utf-8")
            write_numbers(files["numbers"], chosen, sorted(store.names))
            for kind in KINDS:
                commands[f"scikit-learn, {kind}{name}"] = Command([str(self.python), str(SCORES), kind, str(files[kind])],
                                                                  self.inputs.one, self.root)
        right = re.search(r"([\d,]+) right", output(own).decode())
        for kind in KINDS:
            peer = output(commands[f"scikit-learn, {kind}"]).decode().rsplit("right\t", 1)[1].strip()
            if not right or right[1].replace(",", "") != peer:
                raise CommandFailed(f"aisle eval has {right and right[1]} items right, scikit-learn {peer}")
        return commands


def write_numbers(path, pairs, names):
    """Writes pairs as a NumPy array of two rows of bytes (NEP 1, version 1.0), without NumPy."""
    place = {name: number for number, name in enumerate(names)}
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': (2, {len(pairs)}), }}"
    header = header.ljust(117) + "\n"  # with the ten bytes before it, a multiple of 64
    body = b"".join(bytes(place[pair[row]] for pair in pairs) for row in (0, 1))
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + body)
