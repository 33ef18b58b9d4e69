"""Random stores whose keywords are made-up words, and random corpora whose answers are known beforehand."""
import math
from dataclasses import dataclass
from typing import Optional

CONSONANTS, VOWELS = "bdfgklmnprtvz", "aeiou"
STRENGTHS = ["", "", "", "!", "~", "?"]  # good (most), decisive, ingredient, descriptor
TAGS = ["plain", "messy", "brand", "title"]


@dataclass(frozen=True)
class Item:
    """An item, the keyword that decides it (`None` for none does), and the sections that are right, best first."""
    text: str
    keyword: Optional[str]
    labels: tuple
    accepted: tuple
    tags: tuple

    def row(self):
        return "\t".join([self.text, "|".join(self.labels), ",".join(self.tags)]).rstrip("\t") + "\n"


class Shop:
    """A store: `home` says which section each keyword stands in."""

    def __init__(self, rng, section_count):
        self.rng = rng
        self.parts = set()  # of words; no two words share three syllables in their places, so none is a slip of another
        self.sections = [self._name(number) for number in range(section_count)]
        self.fallback = rng.choice(self.sections)
        silent = {section for section in self.sections if rng.random() < (0.8 if section == self.fallback else 0.2)}
        if len(silent) == section_count:
            silent.remove(rng.choice(sorted(silent)))
        self.strength, self.home, self.shelf_of, self.shelves = {}, {}, {}, {}
        for section in self.sections:
            if rng.random() < 0.5:
                self.shelves[f"shelf-{len(self.shelves) + 1}"] = section
        for section in self.sections:
            own = [shelf for shelf, home in self.shelves.items() if home == section]
            for _ in range(0 if section in silent else rng.randint(1, 6)):
                word = self.word()
                self.strength[word], self.home[word] = rng.choice(STRENGTHS), section
                if own and rng.random() < 0.5:
                    self.shelf_of[word] = own[0]

    def _name(self, number):
        return self.word().capitalize() + self.rng.choice(["", " & " + self.word().capitalize(), f" {number}", ", fresh"])

    def word(self):
        while True:
            syllables = [self.rng.choice(CONSONANTS) + self.rng.choice(VOWELS) for _ in range(4)]
            parts = {(left, *(syllables[:left] + syllables[left + 1:])) for left in range(4)}
            if len(set(syllables)) == 4 and parts.isdisjoint(self.parts):
                self.parts |= parts
                return "".join(syllables)

    def answer(self, item, home):
        """The section that the store answers when its keywords stand as `home` says."""
        return home[item.keyword] if item.keyword else self.fallback

    def moved(self, share):
        """`home` with a share of the keywords in other sections."""
        return {word: self.rng.choice(self.sections) if self.rng.random() < share else section
                for word, section in self.home.items()}

    def write(self, folder, home):
        (folder / "shelves").mkdir(parents=True, exist_ok=True)
        for shelf, section in self.shelves.items():
            words = [self.strength[word] + word for word in home if self.shelf_of.get(word) == shelf and home[word] == section]
            (folder / f"shelves/{shelf}.txt").write_text("".join(f"{line}\n" for line in ["# made up", *words]))
        lines = ["store: shop", f'fallback: "{self.fallback}"', "sections:"]
        for section in self.sections:
            lines.append(f'  - name: "{section}"')
            own = [shelf for shelf in self.shelves if self.shelves[shelf] == section]
            words = [word for word in home if home[word] == section and self.shelf_of.get(word) not in own]
            if own:
                lines.append(f"    shelves: [{', '.join(own)}]")
            if words:
                lines.append("    keywords:")
                lines += [f'      - "{self.strength[word]}{word}"' for word in words]
        (folder / "shop.yaml").write_text("".join(line + "\n" for line in lines))

    # Items

    def items(self, count):
        """Items of sections that are not equally frequent, and some have none; a share is right, some are undecided, some have
        alternates."""
        rng = self.rng
        belonging = [section for section in self.sections if rng.random() < 0.85] or [self.fallback]
        rng.shuffle(belonging)
        slope = rng.uniform(0, 1.5)
        weights = [1 / (rank + 1) ** slope for rank in range(len(belonging))]
        right, silent, alternates = rng.uniform(0.3, 0.99), rng.choice([0, 0.05, 0.3]), rng.choice([0, 0.2])
        words_of = {section: [word for word, home in self.home.items() if home == section] for section in self.sections}
        items = []
        for number in range(count):
            accepted = [rng.choices(belonging, weights)[0]]
            while rng.random() < alternates and len(accepted) < min(3, len(belonging)):
                accepted += [section for section in [rng.choice(belonging)] if section not in accepted]
            words = words_of[rng.choice(accepted)] if rng.random() < right else []
            keyword = None if rng.random() < silent else rng.choice(words or list(self.home))
            tags = tuple(sorted(rng.sample(TAGS, rng.choice([0, 1, 1, 2]))))
            items.append(Item(self._text(keyword, number), keyword, *self.label(accepted), tags))
        items += [items[0]] * (count > 10)  # one item stands twice
        return items

    def label(self, accepted):
        """The labels for sections, each by name or by a shelf, and the sections."""
        labels = []
        for section in accepted:
            own = [shelf for shelf in self.shelves if self.shelves[shelf] == section]
            labels.append(self.rng.choice([section, *own]))
        return tuple(labels), tuple(accepted)

    def _text(self, keyword, number):
        """Ways to write an item, so that confidences differ: alone, beside an unknown word, contested, with a slip."""
        rng = self.rng
        if keyword is None:
            return f"{rng.choice(['wuxxy', 'qhyjjo', 'xoqqua'])} {number}"
        other = rng.choice(list(self.home))
        forms = ["{0} {2}", "{2} {0}", "xoqqua {0} {2}", "wuxxy {0} qhyjjo {2}"]
        if self.strength[keyword] in ("", "!"):
            forms.append("{0} with {1} {2}")
        if self.strength[keyword] != "?":
            forms += ["{0} for {1} {2}", "{3} {2}"]
        place = rng.randrange(1, len(keyword) - 3)  # neither the first letter nor the ending, which may look like a plural's
        slip = keyword[:place] + keyword[place + 1] + keyword[place] + keyword[place + 2:]
        return rng.choice(forms).format(keyword, other, number, slip)


def corpus(path, items):
    path.write_text("".join(item.row() for item in items))


def sizes(rng, rounds):
    """Numbers of items and sections: the smallest and some large ones first, then any."""
    first = [(1, 1), (2, 2), (40, 3), (700, 12), (4000, 12), (1500, 60), (300, 200), (12, 2)]
    def any_size():
        return round(math.exp(rng.uniform(math.log(20), math.log(5000)))), rng.choice([2, 3, 5, 8, 12, 12, 20, 40])

    return (first + [any_size() for _ in range(rounds - len(first))])[:rounds]
