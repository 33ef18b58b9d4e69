"""How often a store is right about items whose sections are known."""
from __future__ import annotations

import difflib
import html
import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from aisle import _columns
from aisle._store import Store

_Z = 1.959963984540054
"""The normal distribution's 97.5th percentile, for intervals that hold the truth 95 times in 100."""


class Score(NamedTuple):
    """How many of some items were right."""

    section: str
    """The section that they belong to; `all` for all items."""
    items: int
    """The number of items."""
    right: int
    """How many of them got a section that their label accepts."""
    accuracy: float
    """The share of these, in 0…1; NaN where there are no items."""
    interval: tuple[float, float]
    """Where the true share lies, 95 times in 100: Wilson's score interval."""


class Mistake(NamedTuple):
    """An item that got another section than its label says."""

    item: str
    expected: str
    found: str
    confidence: float


class Evaluation(NamedTuple):
    """What an evaluation found."""

    store: str
    total: Score
    sections: list[Score]
    """The scores of each section, in walking order."""
    mistakes: list[Mistake]
    """The mistakes, the surest first."""
    skipped: int
    """How many rows had no item or no label."""

    @property
    def accuracy(self) -> float:
        """The share of items that are right."""
        return self.total.accuracy

    def __repr__(self) -> str:
        low, high = self.total.interval
        share = f"{_percent(self.accuracy)} ({_percent(low)}–{_percent(high)})"
        lines = [f"{self.store}: {self.total.right} of {self.total.items} right, {share}"]
        lines += [f"  {_percent(score.accuracy):>6}  {score.items:5}  {score.section}" for score in self.sections]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(score.section)}</td><td>{score.items}</td><td>{score.right}</td><td>{_percent(score.accuracy)}</td>"
            f"<td>{_percent(score.interval[0])}–{_percent(score.interval[1])}</td></tr>" for score in [self.total, *self.sections])
        return ("<table><tr><th>section</th><th>items</th><th>right</th><th>accuracy</th><th>95%</th></tr>"
                f"{rows}</table>")


def _percent(share: float) -> str:
    return "n/a" if math.isnan(share) else f"{100 * share:.1f}%"


def wilson(right: int, count: int) -> tuple[float, float]:
    """Wilson's score interval of a share, for 95%.

    >>> [round(end, 3) for end in aisle.wilson(9, 10)]
    [0.596, 0.982]
    """
    if count == 0:
        return (math.nan, math.nan)
    share, spread = right / count, _Z * _Z / count
    middle = (share + spread / 2) / (1 + spread)
    half = _Z * math.sqrt(share * (1 - share) / count + spread / count / 4) / (1 + spread)
    return (max(0.0, middle - half), min(1.0, middle + half))


def eval(labeled: Any, store: Store | str = "kroger") -> Evaluation:
    """Asks a store about labeled items, and says how often it is right.

    `labeled` has columns item and section: a data frame of pandas or Polars, a table of PyArrow, a mapping of two lists, or pairs. A label
    is the name of a section or of a shelf; an item that may stand in several has them with `|` between.

    >>> found = aisle.eval([("oat milk", "Dairy & Eggs"), ("kale", "Produce"), ("pie", "Bakery|frozen-desserts"), ("socks", "Produce")])
    >>> found.total.items, found.mistakes[0].item
    (4, 'socks')
    """
    asked = store if isinstance(store, Store) else Store(store)
    items, labels = _columns_of(labeled)
    rows = [(item, label) for item, label in zip(items, labels)
            if not _columns.is_missing(item) and not _columns.is_missing(label) and label != ""]
    places = _places(asked)
    wanted: dict[str, list[str]] = {}
    for _, label in rows:
        if label not in wanted:
            wanted[label] = _meant(label, places, asked)
    answers = asked.categorize([item for item, _ in rows], details=True)
    right: dict[str, int] = {}
    counts: dict[str, int] = {}
    mistakes = []
    for (item, label), answer in zip(rows, answers):
        section = wanted[label][0]
        counts[section] = counts.get(section, 0) + 1
        if answer.section in wanted[label]:
            right[section] = right.get(section, 0) + 1
        else:
            mistakes.append(Mistake(item, label, answer.section, answer.confidence))
    order = [section.name for section in asked.sections if section.name in counts]
    scores = [_score(name, right.get(name, 0), counts[name]) for name in order]
    mistakes.sort(key=lambda mistake: -mistake.confidence)
    return Evaluation(asked.id, _score("all", len(rows) - len(mistakes), len(rows)), scores, mistakes, len(items) - len(rows))


def _score(section: str, right: int, count: int) -> Score:
    return Score(section, count, right, right / count if count else math.nan, wilson(right, count))


def _places(store: Store) -> dict[str, str]:
    """What a label may say, and the section that it means."""
    return {**store.shelves, **{section.id: section.name for section in store.sections},
            **{section.name: section.name for section in store.sections}}


def _meant(label: Any, places: Mapping[str, str], store: Store) -> list[str]:
    if not isinstance(label, str):
        raise TypeError(f"a label is of type {type(label).__name__}; it is the name of a section or a shelf")
    found = []
    for part in (part.strip() for part in label.split("|")):
        if part not in places:
            near = difflib.get_close_matches(part, places, 1)
            hint = f"; did you mean `{near[0]}`?" if near else f"; available: {', '.join(section.name for section in store.sections)}"
            raise ValueError(f"label `{part}` is no section or shelf of {store.id}{hint}")
        found.append(places[part])
    return found


def _columns_of(labeled: Any) -> tuple[list[Any], list[Any]]:
    names = getattr(labeled, "column_names", None) or getattr(labeled, "columns", None)
    if names is None and isinstance(labeled, Mapping):
        names = list(labeled)
    if names is not None:
        for name in ("item", "section"):
            if name not in list(names):
                raise ValueError(f"the table has no column `{name}`; it has {', '.join(map(str, names))}")
        found = [_list(labeled["item"]), _list(labeled["section"])]
        if len(found[0]) != len(found[1]):
            raise ValueError(f"there are {len(found[0])} items and {len(found[1])} sections; give one section for each item")
        return found[0], found[1]
    if isinstance(labeled, (str, bytes)) or not isinstance(labeled, Iterable):
        raise TypeError(f"labeled items of type {type(labeled).__name__} cannot be read; give a table with columns item and section")
    pairs = list(labeled)
    for place, pair in enumerate(pairs):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise ValueError(f"row {place} is {pair!r}; give pairs of an item and its section")
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _list(column: Any) -> list[Any]:
    for name in ("to_list", "tolist", "to_pylist"):
        if hasattr(column, name):
            return list(getattr(column, name)())
    return list(column)
