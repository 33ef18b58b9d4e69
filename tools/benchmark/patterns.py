"""What patterns cost: the same items with none, 50 and 500 of them in the store."""
import pathlib
import random
import shutil
import tempfile
import time

from measure import Command, Spread, interleave, ratio, times

COUNTS = (0, 50, 500)
TARGETS = {50: 0.9, 500: 0.8}
# In front, where the patterns see every item; and as usual, where they see only what the keywords are not sure of.
CHAINS = {"regex in front": "regex,keyword", "usual chain": "keyword>=0.85,regex>=0.8"}
# A store whose files changed just now is not cached yet, so that its first runs would index it anew.
SETTLING_SECONDS = 3
UNITS = ["pk", "ct", "oz", "lb", "pack", "cans", "bottles", "dozen"]


def measure(bench, progress):
    """Times chains with patterns on stores that differ in their patterns alone, each without start-up; and one item."""
    with tempfile.TemporaryDirectory() as scratch:
        folders = {count: _folder(pathlib.Path(scratch) / str(count), bench, count) for count in COUNTS}
        time.sleep(SETTLING_SECONDS)
        for name, path in [("list", bench.inputs.list), ("titles", bench.inputs.titles)]:
            for place, chain in CHAINS.items():
                _measure_chain(bench, progress, folders, name, path, place, chain)


def _measure_chain(bench, progress, folders, name, path, place, chain):
    commands = {}
    for count, folder in folders.items():
        for suffix, chosen in [("", path), (", one item", bench.inputs.one)]:
            options = ["--jobs", "1", "--chain", chain, "--taxonomies", str(folder)]
            commands[f"{count} patterns{suffix}"] = Command(bench.aisle(*options), chosen, bench.root)
    samples = interleave(commands, max(3, bench.rounds // 2), progress, warm_up=True)
    bench.report.record(f"patterns, {place}, {name}", samples)

    def net(count):
        return times(samples[f"{count} patterns"], "cpu", less=samples[f"{count} patterns, one item"])

    for count, target in TARGETS.items():
        bench.report.ratio(f"{name}, {place}: {count} patterns, speed / none (CPU, without start-up)", ratio(net(0), net(count)),
                           at_least=target)
    for count in COUNTS if name == "list" and place == "regex in front" else ():
        bench.report.milliseconds(f"one item, {count} patterns: CPU",
                                  Spread.of(times(samples[f"{count} patterns, one item"], "cpu")))


def _folder(folder, bench, count):
    """The store with so many patterns instead of its own."""
    shutil.copytree(bench.root / "taxonomies", folder, ignore=shutil.ignore_patterns("patterns"))
    store = folder / "kroger.yaml"
    store.write_text(_without_patterns(store.read_text(encoding="utf-8")), encoding="utf-8")
    rng = random.Random(f"{bench.options.seed} patterns")
    words = sorted({keyword.split()[-1].lower() for keyword, _ in bench.store.keywords if keyword.isascii() and keyword.isalpha()})
    shelves = sorted(bench.store.section_of_shelf)
    lines = ["patterns:"]
    for number in range(count):
        expression, match = _pattern(rng, words)
        lines += [f"  - name: p{number}", f"    shelf: {rng.choice(shelves)}", f"    expression: '{expression}'",
                  f"    matches: ['{match}']", "    rejects: ['nothing']"]
    if count:
        (folder / "patterns").mkdir()
        (folder / "patterns/made.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def _pattern(rng, words):
    """An expression of a kind that stores have, and an item that it matches."""
    one, two, unit = rng.choice(words), rng.choice(words), rng.choice(UNITS)
    number = rng.randrange(10, 99)
    return rng.choice([
        (rf"(?<!\d){number}/{100 - number}(?!\d)", f"{number}/{100 - number}"),
        (rf"\b{one[:2]}-?\d{{3,4}}\b", f"{one[:2]}-123"),
        (rf"\b(?:{one}|{two})\s+\d+\s?{unit}\b", f"{one} 12 {unit}"),
        (rf"\b\d+\s?{unit}\b.*\b{one}\b", f"12 {unit} {one}"),
        (rf"^\s*{one}\s*\?+$", f"{one}??"),
        (rf"(?<!\d){number}\s?%\s?{one}", f"{number}% {one}"),
    ])


def _without_patterns(text):
    """A store's text without the patterns of its sections."""
    kept, skipped = [], None
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if skipped is not None and line.strip() and indent <= skipped:
            skipped = None
        if skipped is None and line.strip() == "patterns:":
            skipped = indent
        if skipped is None:
            kept.append(line)
    return "\n".join(kept) + "\n"
