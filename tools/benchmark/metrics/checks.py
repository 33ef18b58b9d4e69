"""Works out again, by other means, what `aisle eval` and `aisle compare` report."""
import dataclasses
import importlib.metadata
import json
import os
import random
import shutil
import subprocess
import sys
import warnings

import numpy as np
from scipy.stats import binomtest
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score, precision_recall_fscore_support
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

from . import published, simulation
from .ledger import Ledger
from .shop import Shop, corpus, sizes

SKLEARN, STATSMODELS, SCIPY, NUMPY, MADE = "scikit-learn", "statsmodels", "scipy", "numpy", "as made"
BOOTSTRAP_ROUNDS = 10_000


class Failed(Exception):
    """`aisle` did not do what it was asked."""


class Tool:
    def __init__(self, binary):
        self.binary = binary
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("AISLE_")}
        self.environment["AISLE_CHAIN"] = "keyword"  # a chain of one, whose figures are the strategy's too

    def run(self, *arguments, codes=(0,)):
        result = subprocess.run([self.binary, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=self.environment)
        if result.returncode not in codes:
            raise Failed(f"aisle {' '.join(map(str, arguments))}: exit {result.returncode}: "
                         + result.stderr.decode(errors="replace")[:2000].strip())
        return result

    def json(self, *arguments):
        result = self.run(*arguments, "--reporter", "json", codes=(0, 1))
        return json.loads(result.stdout), result.returncode

    def bless(self, baseline, store, items):
        self.run("bless", "--taxonomies", store, "--store", "shop", "--corpus", items, "--baseline", baseline)


def run(binary, folder, options, progress):
    """Runs all checks, prints the table, and returns the exit code."""
    warnings.filterwarnings("ignore", message="A single label was found")  # all labels are passed
    tool, ledger = Tool(binary), Ledger()
    rng = random.Random(f"{options.seed} sizes")
    for number, (items, sections) in enumerate(sizes(rng, options.rounds), 1):
        ledger.where = f"round {number} of --seed {options.seed}: {items} items, {sections} sections"
        progress(ledger.where)
        place = folder / f"round-{number}"
        shutil.rmtree(place, ignore_errors=True)  # kept by an earlier run
        place.mkdir()
        Round(tool, ledger, place, random.Random(f"{options.seed} {number}")).check(items, sections)
    if options.rounds > 0:
        progress("published examples")
        published.check(tool, ledger, folder)
    rates = simulation.run(tool, ledger, folder, options, progress) if options.simulate > 0 else []
    print(f"`aisle` beside {versions()}")
    print()
    print(ledger.table())
    for line in rates:
        print(line)
    for fault in ledger.faults:
        print(f"tools/check-metrics: {fault}", file=sys.stderr)
    return 1 if ledger.faults else 0


class Round:
    """One random store and corpus."""

    def __init__(self, tool, ledger, folder, rng):
        self.tool, self.ledger, self.folder, self.rng = tool, ledger, folder, rng

    def check(self, item_count, section_count):
        shop = self.shop = Shop(self.rng, section_count)
        items = shop.items(item_count)
        changed = shop.moved(self.rng.choice([0.05, 0.15, 0.5] if item_count > 100 else [0, 0.5]))
        relabelled = self._before(items)
        corpus(self.folder / "corpus.tsv", items)
        corpus(self.folder / "before.tsv", relabelled)
        shop.write(self.folder / "before", shop.home)
        shop.write(self.folder / "after", changed)
        self.tool.bless(self.folder / "before.json", self.folder / "before", self.folder / "before.tsv")
        self.tool.bless(self.folder / "after.json", self.folder / "after", self.folder / "corpus.tsv")
        gate = self._gate()
        self.alpha = self._alpha(gate)
        lines = self.tool.run("eval", *self._asked("after"), "--reporter", "jsonl").stdout.decode().splitlines()
        report, code = self.tool.json("eval", *self._asked("after"), "--baseline", self.folder / "before.json", *gate)
        alone, alone_code = self.tool.json("compare", self.folder / "before.json", self.folder / "after.json", *gate)
        (self.folder / "report.json").write_text(json.dumps(report, indent=1))
        self._check_report(report, [json.loads(line) for line in lines], items, changed)
        self._check_comparison(report["comparison"], relabelled, items, changed)
        self._check_gate(report, code, gate)
        for member in ("difference", "sections", "only_before", "only_after", "relabelled"):
            self.ledger.equal("compare says what eval says", "aisle eval", alone["comparison"][member],
                              report["comparison"][member])
        self.ledger.equal("compare says what eval says", "aisle eval", alone_code, code)

    def _asked(self, store):
        return "--taxonomies", self.folder / store, "--store", "shop", "--corpus", self.folder / "corpus.tsv"

    def _before(self, items):
        """The items of an earlier corpus: some not yet there, some with other labels, some that are gone since."""
        rng, before = self.rng, []
        for item in items:
            if len(items) < 20 or item is items[0] or rng.random() < 0.9:
                before.append(item)
            elif rng.random() < 0.5:
                labels, accepted = self.shop.label([rng.choice(self.shop.sections)])
                before.append(dataclasses.replace(item, labels=labels, accepted=accepted))
        gone = [dataclasses.replace(item, text=f"{item.text} 77 {place}")
                for place, item in enumerate(items[:rng.choice([0, 5])])]
        return before + gone

    def _gate(self):
        return self.rng.choice([[], [], ["--alpha", "0.2"], ["--tolerance", "2.5"], ["--tolerance", "0.1", "--alpha", "0.001"],
                                ["--strict"]])

    @staticmethod
    def _given(gate):
        return dict(zip(gate[::2], gate[1::2])) if gate != ["--strict"] else {}

    def _alpha(self, gate):
        return float(self._given(gate).get("--alpha", 0.05))

    # What eval reports

    def _check_report(self, report, lines, items, home):
        answers = [self.shop.answer(item, home) for item in items]
        equal = self.ledger.equal
        equal("items, labels, answers", MADE, [(line["item"], line["expected"], line["section"]) for line in lines],
              [(item.text, list(item.accepted), answer) for item, answer in zip(items, answers)])
        equal("items, labels, answers", MADE, report["items"], lines)
        equal("section names", MADE, report["metrics"]["confusion"]["names"], self.shop.sections)
        truths = [answer if answer in item.accepted else item.accepted[0] for item, answer in zip(items, answers)]
        confidences = np.array([line["confidence"] for line in lines])
        decided = np.array([item.keyword is not None for item in items])
        splits = np.array([line["split"] for line in lines])
        truths, answers = np.array(truths, dtype=object), np.array(answers, dtype=object)
        self._check_metrics(report["metrics"], truths, answers, confidences, decided)
        for split in report["splits"]:
            part = splits == split["split"]
            self._check_metrics(split["metrics"], truths[part], answers[part], confidences[part], decided[part])
        equal("splits", MADE, {split["split"] for split in report["splits"]}, set(splits))
        shares = [np.mean((truths == answers)[splits == split]) if split in splits else np.nan for split in ("tune", "holdout")]
        self.ledger.close("holdout minus tune", NUMPY, report["split_difference"], shares[1] - shares[0])
        for tag in report["tags"]:
            part = np.array([tag["tag"] in item.tags for item in items])
            self._check_share("accuracy of a tag", tag["accuracy"], truths[part] == answers[part])
        equal("tags", MADE, {tag["tag"] for tag in report["tags"]}, {tag for item in items for tag in item.tags})
        strategy, = report["strategies"]
        equal("strategy: decided", MADE, strategy["decided"], int(decided.sum()))
        self._check_share("strategy: precision", strategy["precision"], (truths == answers)[decided])

    def _check_metrics(self, metrics, truths, answers, confidences, decided):
        close, equal, names = self.ledger.close, self.ledger.equal, self.shop.sections
        right = truths == answers
        truths, answers = truths.astype(str), answers.astype(str)
        close("accuracy", SKLEARN, metrics["accuracy"]["value"], accuracy_score(truths, answers))
        self._check_share("accuracy", metrics["accuracy"], right)
        self._check_share("unplaced", metrics["unplaced"], ~decided)
        sure = decided & (confidences >= 0.9)
        self._check_share("sure", metrics["sure"], sure)
        self._check_share("accuracy of sure answers", metrics["sure_accuracy"], right[sure])
        union = sorted(set(truths) | set(answers))
        close("macro-F1", SKLEARN, metrics["macro_f1"], f1_score(truths, answers, labels=union, average="macro", zero_division=0))
        figures = precision_recall_fscore_support(truths, answers, labels=names, zero_division=np.nan)
        equal("sections in order", MADE, [score["name"] for score in metrics["sections"]], names)
        for place, score in enumerate(metrics["sections"]):
            for column, name in enumerate(["precision", "recall", "f1"]):
                close(f"section: {name}", SKLEARN, score[name], figures[column][place])
            equal("section: support", SKLEARN, score["support"], int(figures[3][place]))
        matrix = confusion_matrix(truths, answers, labels=names)
        equal("confusion matrix", SKLEARN, metrics["confusion"]["counts"], matrix.tolist())
        equal("section: predicted", SKLEARN, [score["predicted"] for score in metrics["sections"]], matrix.sum(axis=0).tolist())
        equal("section: right", SKLEARN, [score["right"] for score in metrics["sections"]], matrix.diagonal().tolist())
        pairs = [(-int(matrix[row, column]), names[row], names[column])
                 for row, column in zip(*np.nonzero(matrix)) if row != column]
        equal("confused pairs", SKLEARN,
              [(-pair["count"], pair["expected"], pair["section"]) for pair in metrics["confusion"]["pairs"]], sorted(pairs))
        self._check_calibration(metrics["calibration"], right[decided], confidences[decided])

    def _check_calibration(self, calibration, right, confidences):
        places = np.digitize(confidences, np.arange(1, 10) / 10)  # a bound belongs to the bin above it
        error = 0.0
        for place, found in enumerate(calibration["bins"]):
            part = places == place
            self.ledger.equal("bins: bounds", MADE, [found["from"], found["to"]], [place / 10, (place + 1) / 10])
            self.ledger.equal("bins: answers", NUMPY, found["accuracy"]["total"], int(part.sum()))
            self._check_share("bins: accuracy", found["accuracy"], right[part])
            mean = confidences[part].mean() if part.any() else np.nan
            self.ledger.close("bins: mean confidence", NUMPY, found["confidence"], mean)
            if part.any():
                error += abs(right[part].mean() - mean) * part.sum() / len(right)
        self.ledger.close("expected calibration error", NUMPY, calibration["expected_error"], error if len(right) else np.nan)

    def _check_share(self, name, found, flags):
        count, total = int(flags.sum()), len(flags)
        self.ledger.equal(f"{name}: counts", NUMPY, [found["count"], found["total"]], [count, total])
        self.ledger.close(f"{name}: share", NUMPY, found["value"], count / total if total else np.nan)
        check_wilson(self.ledger, found, count, total)

    # What changed

    def _check_comparison(self, found, before, after, home):
        """Items are paired by their text, a text that stands twice in order; both answers are scored by the new labels."""
        older = {}
        for item in before:
            older.setdefault(item.text, []).append(item)
        pairs = []
        for item in after:
            if older.get(item.text):
                pairs.append((older[item.text].pop(0), item))
        was = np.array([self.shop.answer(old, self.shop.home) in new.accepted for old, new in pairs], dtype=bool)
        now = np.array([self.shop.answer(new, home) in new.accepted for _, new in pairs], dtype=bool)
        equal = self.ledger.equal
        equal("items of one corpus only", MADE, [found["only_before"], found["only_after"]],
              [len(before) - len(pairs), len(after) - len(pairs)])
        equal("relabelled items", MADE, found["relabelled"], sum(old.accepted != new.accepted for old, new in pairs))
        equal("flips", MADE, sorted(flip["item"] for flip in found["lost"]),
              sorted(new.text for (_, new), lost in zip(pairs, was & ~now) if lost))
        equal("flips", MADE, sorted(flip["item"] for flip in found["won"]),
              sorted(new.text for (_, new), won in zip(pairs, ~was & now) if won))
        self._check_difference(found["difference"], was, now)
        best = np.array([new.accepted[0] for _, new in pairs], dtype=object)
        changed = {section for section in self.shop.sections if (was != now)[best == section].any()}
        equal("sections that changed", MADE, {section["name"] for section in found["sections"]}, changed)
        for section in found["sections"]:
            part = best == section["name"]
            self._check_difference(section["difference"], was[part], now[part], resamples=False)

    def _check_difference(self, found, was, now, resamples=True):
        won, lost = int((~was & now).sum()), int((was & ~now).sum())
        self.ledger.equal("change: counts", NUMPY, [found[name] for name in ("total", "before", "after", "won", "lost")],
                          [len(was), int(was.sum()), int(now.sum()), won, lost])
        self.ledger.close("change: difference", NUMPY, found["value"], now.mean() - was.mean())
        table = [[int((was & now).sum()), lost], [won, int((~was & ~now).sum())]]
        check_mcnemar(self.ledger, found, table, self.alpha)
        if resamples:
            changes = now.astype(np.int8) - was.astype(np.int8)
            generator = np.random.default_rng(self.rng.randrange(2**32))
            means = np.concatenate([changes[generator.integers(0, len(changes), (100, len(changes)))].mean(axis=1)
                                    for _ in range(BOOTSTRAP_ROUNDS // 100)])
            # Two bootstraps of 10,000 rounds give 2.5% points that lie 0.038 standard deviations apart (standard error); five of
            # these are allowed, and one item, since the differences come in steps of one.
            allowed = 5 * 0.038 * changes.std() / np.sqrt(len(changes)) + 1 / len(changes)
            for name, share, widened in [("low", 0.025, min), ("high", 0.975, max)]:
                end = np.quantile(means, share)
                # The interval holds 0 where the exact test cannot rule that out.
                end = widened(end, 0) if p_value(won, lost) >= 0.05 else end
                self.ledger.close("change: bootstrap interval", NUMPY, found[name], end, allowed + Ledger.ROUNDED)

    def _check_gate(self, report, code, gate):
        tolerance = float(self._given(gate).get("--tolerance", 0)) / 100
        difference = report["comparison"]["difference"]
        won, lost, total = (difference[name] for name in ("won", "lost", "total"))
        expected = is_regression(won, lost, total, tolerance, self.alpha) or gate == ["--strict"] and lost > 0
        self.ledger.equal("gate: exit code", SCIPY, code, 1 if expected else 0)
        self.ledger.equal("gate: passed", SCIPY, report["gate"]["passed"], not expected)


def versions():
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("scikit-learn", "scipy", "statsmodels", "numpy"))


def check_wilson(ledger, found, count, total):
    low, high = proportion_confint(count, total, method="wilson") if total else (np.nan, np.nan)
    ledger.close("Wilson interval", STATSMODELS, found["low"], low)
    ledger.close("Wilson interval", STATSMODELS, found["high"], high)


def check_mcnemar(ledger, found, table, alpha):
    (_, lost), (won, _) = table
    ledger.close("McNemar's exact p", STATSMODELS, found["p_value"], mcnemar(table, exact=True).pvalue)
    ledger.close("McNemar's exact p", SCIPY, found["p_value"], p_value(won, lost))
    ledger.equal("marked as noise", SCIPY, found["noise"], bool(p_value(won, lost) >= alpha))


def p_value(won, lost):
    return binomtest(won, won + lost, 0.5).pvalue if won + lost > 0 else 1.0


def is_regression(won, lost, total, tolerance=0.0, alpha=0.05):
    """The gate's rule: a loss of accuracy beyond the tolerance, and McNemar's p below alpha or fewer than 300 items."""
    return bool((lost - won) / total > tolerance + 1e-12 and (total < 300 or p_value(won, lost) < alpha))
