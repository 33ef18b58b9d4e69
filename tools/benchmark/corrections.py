"""Measures what a million corrections cost: asking them for every item, and opening them."""
import json
import pathlib
import random
import tempfile

from inputs import title_lines
from measure import Command, Spread, interleave, output, ratio, times

COUNT = 1_000_000
SYLLABLES = ["zor", "kav", "mip", "dul", "fen", "gax", "hob", "jip", "lun", "nev", "pog", "quo", "rud", "sif", "tov", "wex"]


def measure(benchmark, progress):
    """Adds the figures to the benchmark's report."""
    with tempfile.TemporaryDirectory(dir=benchmark.cache) as folder:
        Corrections(benchmark, pathlib.Path(folder), progress).run()


class Corrections:
    def __init__(self, benchmark, folder, progress):
        self.benchmark, self.folder, self.progress = benchmark, folder, progress
        self.inputs, self.report = benchmark.inputs, benchmark.report
        self.rounds = max(5, benchmark.rounds)

    def run(self):
        rng = random.Random(f"{self.benchmark.options.seed} corrections")
        # Of other goods: what asking costs where nothing is found. Of product titles: many items are near some correction.
        for name, items in [("other goods", invented(rng)), ("product titles", title_lines(rng, self.benchmark.store, COUNT))]:
            database = self.make(name.replace(" ", "-"), items)
            for kind, path in [("list", self.inputs.list), ("titles", self.inputs.titles)]:
                self.measure_lookup(f"1M corrections of {name}, {kind}", database, path)
            self.measure_opening(f"1M corrections of {name}", database)

    def make(self, name, items):
        """Imports corrections into a database, and has it indexed."""
        self.progress(f"1M corrections of {name}")
        rows, database = self.folder / f"{name}.jsonl", self.folder / f"{name}.db"
        sections = sorted(self.benchmark.store.names)
        with rows.open("w", encoding="utf-8") as file:
            for number, item in enumerate(items):
                file.write(json.dumps({"store": "kroger", "item": item, "section": sections[number % len(sections)], "by": "bench",
                                       "time": "2026-01-01T00:00:00Z"}, ensure_ascii=False) + "\n")
        output(Command([str(self.benchmark.binary), "corrections", "import", str(rows), "--db", str(database)],
                       self.inputs.one, self.benchmark.root))
        output(self.command(database, self.inputs.one))
        return database

    def command(self, database, path):
        return Command([*self.benchmark.aisle("--jobs", "1"), "--db", str(database)], path, self.benchmark.root)

    def measure_lookup(self, name, database, path):
        commands = {}
        for suffix, chosen in [("", path), (", one item", self.inputs.one)]:
            commands[f"with{suffix}"] = self.command(database, chosen)
            commands[f"without{suffix}"] = self.command("off", chosen)
        samples = interleave(commands, self.rounds, self.progress, warm_up=True)
        self.report.record(name, samples)

        def net(which):
            return times(samples[which], "cpu", less=samples[f"{which}, one item"])

        self.report.ratio(f"{name}: CPU a line, with / without", ratio(net("with"), net("without")), at_most=1.3)

    def measure_opening(self, name, database):
        commands = {"with": self.command(database, self.inputs.one), "without": self.command("off", self.inputs.one)}
        samples = interleave(commands, 4 * self.benchmark.rounds, lambda message: None)
        self.report.record(f"{name}, opening", samples)
        for kind in ("wall", "cpu"):
            extra = [left - right for left, right in zip(times(samples["with"], kind), times(samples["without"], kind))]
            self.report.milliseconds(f"{name}: opening ({kind})", Spread.of(extra), at_most=20)


def invented(rng):
    """Distinct goods that nobody sells."""
    items = {}
    while len(items) < COUNT:
        words = ["".join(rng.choices(SYLLABLES, k=rng.randint(2, 3))) for _ in range(rng.randint(2, 4))]
        items[" ".join(words)] = None
    return list(items)
