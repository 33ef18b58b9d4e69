"""Makes the benchmark's inputs from a seed and the store's keywords, and keeps them in the cache folder."""
import bisect
import hashlib
import itertools
import pathlib
import random
import re
import time

DISTINCT_ITEMS = 5_000
SAMPLE_LINES = 2_000
PART_LINES = 200_000

QUANTITIES = ["2 lbs {}", "1 lb {}", "dozen {}", "half dozen {}", "3 {}", "2x {}", "{} x2", "bag of {}", "6 pack {}",
              "1 gallon {}", "{} (2)", "{} 12 oz", "can of {}", "some {}"]
ADJECTIVES = ["Organic", "Classic", "Original", "Natural", "Premium", "Family Size", "Fresh", "Large", "Mini", "Low Sodium",
              "Reduced Fat", "Unsweetened", "Gluten Free", "Whole Grain", "Extra", "Thick Cut", "Spicy", "Roasted",
              "Select", "Farmhouse", "Light", "Homestyle", "Artisan", "Traditional", "Non GMO", "Fat Free", "Creamy",
              "Crunchy", "Sliced", "Value Pack"]
SIZES = ["12 oz", "16 oz", "5.3 oz", "32 fl oz", "1 gal", "2 lb", "6 ct", "12 pk", "750 ml", "8 x 1.5 oz", "64 fl oz",
         "500 g", "1 L"]
FORMS = ["Pack of 6", "Family Pack", "Variety Pack", "Resealable Bag", "Twin Pack", "Bulk"]
SYLLABLES = ["bel", "cor", "dan", "fen", "gol", "har", "jun", "kel", "lor", "mar", "nov", "ost", "pel", "quin", "ros",
             "sal", "tor", "ul", "ver", "wim", "yar", "zan", "bri", "cre", "dro", "fla", "gra", "thi", "sto", "vo", "na",
             "ri"]


class Inputs:
    """The paths of the inputs: `list` and `titles`, a sample and the first part of each for what is slow, `one` item,
    `corpus`, the titles with labels, and `real_titles`."""

    def __init__(self, cache: pathlib.Path, store, seed, lines, progress):
        source = pathlib.Path(__file__).read_bytes()
        key = hashlib.sha256(f"{seed} {lines} {store.digest} ".encode() + source).hexdigest()[:12]
        folder = cache / f"inputs-{key}"
        for stale in cache.glob("inputs-*"):
            if stale != folder and stale.stat().st_mtime < time.time() - 86_400:  # another run may be at work on a newer one
                for file in stale.iterdir():
                    file.unlink()
                stale.rmdir()
        folder.mkdir(parents=True, exist_ok=True)
        self.lines = lines
        self.folder = folder
        self.one = folder / "one.txt"
        self.one.write_bytes(b"oat milk\n")
        self.list, self.list_sample, self.list_part = self._make("list", list_lines, store, seed, progress)
        self.titles, self.titles_sample, self.titles_part = self._make("titles", title_lines, store, seed, progress)
        self.corpus = folder / "titles.tsv"
        if not self.corpus.exists():
            progress(f"labelling {self.lines:,} titles from seed {seed}")
            titles = self.titles.read_text(encoding="utf-8").split("\n")[:-1]
            self._write(self.corpus, corpus_lines(random.Random(f"{seed} labels"), store, titles))

    def real_titles(self, items, seed):
        """As many lines picked at random from product titles that people or shops wrote."""
        rng = random.Random(f"{seed} real titles")
        path = self.folder / "real-titles.txt"
        self._write(path, (rng.choice(items) for _ in range(self.lines)))
        return path

    def _make(self, name, generate, store, seed, progress):
        path, sample, part = (self.folder / f"{name}{kind}.txt" for kind in ("", "-sample", "-part"))
        if not path.exists():
            progress(f"making {self.lines:,} {name} lines from seed {seed}")
            lines = generate(random.Random(f"{seed} {name}"), store, self.lines)
            picked = random.Random(f"{seed} {name} sample").sample(lines, min(SAMPLE_LINES, len(lines)))
            for target, chosen in [(sample, picked), (part, lines[:PART_LINES]), (path, lines)]:  # the whole last: see above
                self._write(target, chosen)
        return path, sample, part

    @staticmethod
    def _write(path, lines):
        unfinished = path.with_suffix(".unfinished")
        unfinished.write_bytes("".join(line + "\n" for line in lines).encode())
        unfinished.rename(path)


def list_lines(rng, store, count):
    """Short items as people list them; how often each comes up follows Zipf's law over `DISTINCT_ITEMS` of them."""
    keywords = sorted({keyword.lower() for keyword, _ in store.keywords if len(keyword) <= 24})
    items = {}
    while len(items) < DISTINCT_ITEMS:
        item = keywords[int(rng.random() * len(keywords))]
        kind = rng.random()
        if kind < 0.15:
            item = plural(item)
        elif kind < 0.37:
            item = QUANTITIES[int(rng.random() * len(QUANTITIES))].format(item)
        elif kind < 0.43:
            item = item.capitalize()
        elif kind < 0.47:
            item = brand(rng).lower() if rng.random() < 0.5 else f"{brand(rng)} {item}"
        items[item] = None
    popularity = Popularity(rng, items, key=lambda _: rng.random())
    return [popularity.pick() for _ in range(count)]


def title_lines(rng, store, count):
    """Distinct product-like titles.

    How often each keyword comes up in them follows Zipf's law too, and short ones are mostly the common ones, as in a language.
    Were all keywords equally common, the Rust peer would mostly wait for memory, and look twice as slow as on real titles.
    """
    keywords = Popularity(rng, {keyword for keyword, _ in store.keywords}, key=lambda keyword: len(keyword) * rng.random())
    brands = [brand(rng) if rng.random() < 0.7 else f"{brand(rng)} {brand(rng)}" for _ in range(3_000)]
    titles = {}
    while len(titles) < count:
        parts = []
        if rng.random() < 0.75:
            parts.append(brands[int(rng.random() * len(brands))])
        if rng.random() < 0.65:
            parts.append(ADJECTIVES[int(rng.random() * len(ADJECTIVES))])
        parts.append(titled(keywords.pick()))
        title = " ".join(parts)
        tail = rng.random()
        if tail < 0.12:
            title += " with " + titled(keywords.pick())
        elif tail < 0.22:
            title += ", " + ADJECTIVES[int(rng.random() * len(ADJECTIVES))]
        elif tail < 0.28:
            title += f" ({FORMS[int(rng.random() * len(FORMS))]})"
        elif tail < 0.36:
            title += " " + titled(keywords.pick())
        if rng.random() < 0.55:
            title += ", " + SIZES[int(rng.random() * len(SIZES))]
        titles[title] = None
    return list(titles)


def corpus_lines(rng, store, titles):
    """The titles with labels and tags.

    The label is the section of the last keyword before `with`, a comma or a parenthesis, or, half of the time, a shelf of that
    section; a tenth have a second label, and a twentieth only one at random.
    """
    section_of = {titled(keyword): section for keyword, section in store.keywords}
    sections = sorted(store.names)
    shelves = {section: sorted(shelf for shelf, home in store.section_of_shelf.items() if home == section)
               for section in sections}

    def label(section):
        return rng.choice(shelves[section]) if shelves[section] and rng.random() < 0.5 else section

    for title in titles:
        head = re.split(r" with |,|\(", title)[0].strip().split(" ")
        endings = (" ".join(head[start:]) for start in range(len(head)))
        section = next((section_of[name] for name in endings if name in section_of), store.fallback)
        chance = rng.random()
        labels = label(section if chance >= 0.05 else rng.choice(sections))
        if chance > 0.9:
            labels += "|" + label(rng.choice(sections))
        tags = [tag for tag, sign in [("packaging", ", "), ("compound", " with ")] if sign in title]
        yield f"{title}\t{labels}\t{','.join(tags or ['plain'])}"


class Popularity:
    """Texts that come up by Zipf's law: the n-th most popular 1/n as often as the first, in a random order."""

    def __init__(self, rng, texts, key):
        self.random = rng.random
        self.texts = sorted(sorted(texts), key=key)
        self.weights = list(itertools.accumulate(1 / rank for rank in range(1, len(self.texts) + 1)))

    def pick(self):
        return self.texts[bisect.bisect(self.weights, self.random() * self.weights[-1])]


def brand(rng):
    """A made-up name, which no keyword is likely to be."""
    return "".join(SYLLABLES[int(rng.random() * len(SYLLABLES))] for _ in range(2 + int(rng.random() * 2))).capitalize()


def titled(text):
    """Each word with a capital; `str.title` would write `Men'S`."""
    return " ".join(word[:1].upper() + word[1:] for word in text.split(" "))


def plural(text):
    if text.endswith("y") and text[-2:-1] not in "aeiou":
        return text[:-1] + "ies"
    return text + ("es" if text.endswith(("s", "sh", "ch", "x", "z")) else "s")
