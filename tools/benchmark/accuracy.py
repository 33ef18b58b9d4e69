"""The share of right answers on labelled items."""
import math
import subprocess
from dataclasses import dataclass

from measure import CommandFailed, environment


class BadLabel(Exception):
    """A row of a labelled file cannot be used."""


@dataclass(frozen=True)
class Share:
    right: int
    total: int

    @property
    def value(self):
        return self.right / self.total

    def interval(self, z=1.959964):
        """The Wilson 95% interval (Wilson 1927, JASA 22)."""
        n, p = self.total, self.value
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return middle - half, middle + half


def read(path, store):
    """The items of a file of `item<TAB>label[|label]` rows, each with the sections that are right.

    Comments (`#`) and empty lines are passed over, and so is a header: a first row whose label is neither a shelf nor a section.
    """
    items = []
    is_first = True
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.rstrip("\r").split("\t")
        if len(fields) < 2:
            raise BadLabel(f"{path}:{number}: no tab; write item<TAB>label")
        try:
            items.append((fields[0], store.expected_sections(fields[1])))
        except KeyError as error:
            if not is_first:
                raise BadLabel(f"{path}:{number}: {error} is neither a shelf nor a section of this store") from None
        is_first = False
    if not items:
        raise BadLabel(f"{path}: no labelled items in it")
    return items


def score(aisle, items, root):
    text = "".join(item + "\n" for item, _ in items)
    result = subprocess.run([*aisle, "--format", "tsv"], input=text.encode(), stdout=subprocess.PIPE, cwd=root, env=environment())
    answers = result.stdout.decode().split("\n")[:-1]
    if result.returncode != 0 or len(answers) != len(items):
        raise CommandFailed(f"{len(items)} labelled items went in, {len(answers)} answers came out, exit {result.returncode}")
    right = sum(answer.rsplit("\t", 1)[1] in expected for answer, (_, expected) in zip(answers, items))
    return Share(right, len(items))
