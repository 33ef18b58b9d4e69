"""What another language costs: lists in eight languages beside English ones, each read in its own language, and in three.

Both are lists that people wrote without looking at the keywords: `corpus/languages`, and the list items of two English files. Items in other
languages are longer, so the speed is told by the item and by the byte. Each list repeats equally many different items, since a processor
learns the branches of the few by heart: a hundred different items are read by the byte nearly as fast in any language, six hundred are not.
"""
import pathlib
import random
import tempfile

from measure import Command, interleave, ratio, times

ENGLISH = ("blind.tsv", "fresh.tsv")
LINES = 400_000
OTHERS = {"de": "fr", "fr": "de"}  # the third language, behind English


def measure(binary, root, report, options, progress):
    """Adds the figures to the report."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "one.txt").write_text("oat milk\n", encoding="utf-8")
        lists = {"en": [item for name in ENGLISH for item, tags in _items(root / "corpus" / name) if "list" in tags]}
        for path in sorted((root / "corpus/languages").glob("*.tsv")):
            lists[path.stem] = [item for item, _ in _items(path)]
        bytes_each, commands = {}, {}
        different = min(len(items) for items in lists.values())
        for language, items in lists.items():
            chance = random.Random(f"{options.seed} {language}")
            lines = chance.choices(chance.sample(items, different), k=LINES)
            path = folder / f"{language}.txt"
            path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
            bytes_each[language] = path.stat().st_size / LINES - 1
            three = f"{language},en,{OTHERS.get(language, 'de')}"
            for name, languages in {language: language, f"{language}, three": three}.items() if language != "en" else [("en", "en")]:
                words = [str(binary), "categorize", "--db", "off", "--jobs", "1", "--language", languages, "--taxonomies",
                         str(root / "taxonomies")]
                commands[name] = Command(words, path, folder)
                commands[f"{name}, one item"] = Command(words, folder / "one.txt", folder)
        samples = interleave(commands, 3 if options.quick else 7, progress)
    report.record("languages", samples)

    def net(name):
        return times(samples[name], "cpu", less=samples[f"{name}, one item"])

    for language in list(lists)[1:]:
        longer = bytes_each[language] / bytes_each["en"]
        by_item = ratio(net("en"), net(language))
        by_byte = ratio([each * longer for each in net("en")], net(language))
        report.ratio_above(f"{language}: items a second / English (CPU, without start-up)", by_item, at_least=1.0)
        report.ratio_above(f"{language}: bytes a second / English (CPU, without start-up)", by_byte, at_least=1.0)
        report.ratio_above(f"{language}: three languages / English, items (CPU, without start-up)",
                           ratio(net("en"), net(f"{language}, three")), at_least=0.7)


def _items(path):
    """The items of a file of the corpus, with their tags."""
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        if not line.startswith("#") and len(fields) > 1:
            yield fields[0], fields[2].split(",") if len(fields) > 2 else []
