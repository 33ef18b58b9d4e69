"""Which section of a store a grocery item belongs to.

>>> import aisle
>>> store = aisle.Store("kroger")
>>> store["2 lbs chicken thighs"].section
'Meat & Seafood'
>>> store.categorize(["oat milk", None, "kale"])
['Dairy & Eggs', None, 'Produce']

Everything is decided on this machine, in about a microsecond an item, by the same data and rules as the command `aisle`.
"""
from aisle._errors import AisleError, BadFile, LibraryError, UnknownStore
from aisle._evaluation import Evaluation, Mistake, Score, eval, wilson
from aisle._library import version as _version
from aisle._store import Answer, Section, Store, stores

__all__ = [
    "AisleError", "Answer", "BadFile", "Evaluation", "LibraryError", "Mistake", "Score", "Section", "Store", "UnknownStore", "eval",
    "stores", "version", "wilson",
]


def version() -> str:
    """The version of aisle's library.

    >>> aisle.version().count(".")
    2
    """
    return _version()
