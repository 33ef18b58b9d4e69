"""Items in whatever holds them, and their sections in the same."""
from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from aisle import _columns
from aisle._columns import Answers, arrow_module, module

if TYPE_CHECKING:
    from aisle._store import Store


def categorize(store: Store, items: Any, details: bool) -> Any:
    """Where items belong, as what they came as."""
    if isinstance(items, (str, bytes, bytearray)):
        raise TypeError("this is one item; for one, ask `store[item]`, and for several, give a list")
    for name, kinds, take in _KINDS:
        found = module(name)
        if found is not None and any(isinstance(items, kind) for place in kinds if (kind := getattr(found, place, None)) is not None):
            return take(store, items, details)
    if hasattr(items, "columns"):
        raise TypeError(f"this is a table ({type(items).__name__}); give one of its columns, such as `table[\"item\"]`")
    if not isinstance(items, Iterable) or isinstance(items, dict):
        raise TypeError(f"items of type {type(items).__name__} cannot be read; give a list, or a column of a data frame")
    found = _of_list(store, items if isinstance(items, (list, tuple)) else list(items), details)
    return tuple(found) if isinstance(items, tuple) else found


def _of_list(store: Store, items: Any, details: bool) -> list[Any]:
    from aisle._store import Answer

    answers = store._ask(_columns.of_list(items), details)
    sections = _columns.names_of(answers.section, store._section_names)
    if not details:
        return sections
    rest = zip(items, sections, answers.confidence, _columns.names_of(answers.shelf, store._shelf_names),
               _columns.names_of(answers.strategy, store._strategy_names))
    return [None if row[1] is None else Answer._make(row) for row in rest]


def _named(store: Store, answers: Answers) -> dict[str, list[Any]]:
    sections = _columns.names_of(answers.section, store._section_names)
    return {
        "section": sections,
        "confidence": [None if section is None else confidence for section, confidence in zip(sections, answers.confidence)],
        "shelf": _columns.names_of(answers.shelf, store._shelf_names),
        "strategy": _columns.names_of(answers.strategy, store._strategy_names),
    }


# NumPy


def _of_numpy(store: Store, items: Any, details: bool) -> Any:
    numpy = module("numpy")
    if items.ndim != 1:
        raise TypeError(f"the array has {items.ndim} dimensions; give one of its rows or columns")
    if items.dtype.kind not in "OUST" or items.dtype.names:
        raise TypeError(f"the array is of dtype {items.dtype}; items are of dtype str or object")
    answers = store._ask(_columns.of_list(items.tolist()), details)
    if not details:
        names = _columns.names_of(answers.section, store._section_names)
        kinds = {"U": str, "S": str, "T": items.dtype}
        return numpy.array(names, dtype=kinds.get(items.dtype.kind, object))
    named = _named(store, answers)
    table = numpy.empty(len(items), dtype=[("section", object), ("confidence", "f4"), ("shelf", object), ("strategy", object)])
    for name, values in named.items():
        table[name] = [numpy.nan if value is None else value for value in values] if name == "confidence" else values
    return table


# pandas


def _of_pandas(store: Store, items: Any, details: bool) -> Any:
    pandas = module("pandas")
    values = items.array
    if isinstance(items.dtype, pandas.CategoricalDtype):
        return _of_categories(store, items, details)
    if items.dtype.kind not in "OUST" and not pandas.api.types.is_string_dtype(items.dtype):
        raise TypeError(f"the column is of dtype {items.dtype}; items are of dtype str, string, or object")
    arrow = arrow_module() if hasattr(values, "__arrow_array__") else None
    if arrow is not None:
        answers = [store._ask(_columns.of_arrow(chunk), details) for chunk in _chunks(arrow.array(values))]
        joined = _joined(answers, details)
    else:
        joined = store._ask(_columns.of_list(items.tolist()), details)
    if not details:
        names = _columns.names_of(joined.section, store._section_names)
        return pandas.Series(names, index=items.index, dtype=items.dtype, name="section")
    return pandas.DataFrame(_named(store, joined), index=items.index).astype({"confidence": "float32"})


def _of_categories(store: Store, items: Any, details: bool) -> Any:
    """Each category once."""
    pandas = module("pandas")
    found = _of_list(store, items.cat.categories.tolist(), True)
    codes = items.cat.codes.tolist()
    answers = [None if code < 0 else found[code] for code in codes]
    kind = pandas.CategoricalDtype(store._section_names, ordered=True)
    section = pandas.Series([answer and answer.section for answer in answers], index=items.index, dtype=kind, name="section")
    if not details:
        return section
    rest = {name: [answer and getattr(answer, name) for answer in answers] for name in ("confidence", "shelf", "strategy")}
    return pandas.DataFrame({"section": section, **rest}, index=items.index).astype({"confidence": "float32"})


# PyArrow


def _chunks(values: Any) -> list[Any]:
    return list(values.chunks) if hasattr(values, "chunks") else [values]


def _joined(parts: list[Answers], details: bool) -> Answers:
    if len(parts) == 1:
        return parts[0]
    whole = Answers(0, details)
    for part in parts:
        for name in Answers.__slots__:
            numbers: array[Any] = getattr(whole, name)
            numbers.extend(getattr(part, name))
    return whole


def _of_arrow(store: Store, items: Any, details: bool) -> Any:
    arrow = module("pyarrow")
    if isinstance(items, arrow.ChunkedArray):
        found = [_of_arrow(store, chunk, details) for chunk in items.chunks]
        if details:
            return arrow.concat_tables(found) if found else _of_arrow(store, arrow.array([], arrow.string()), True)
        return arrow.chunked_array(found, type=None if found else arrow.string())
    if arrow.types.is_dictionary(items.type):
        found = _of_arrow(store, items.dictionary, details)
        if details:
            return found.take(items.indices)
        return arrow.DictionaryArray.from_arrays(items.indices, found).dictionary_decode().dictionary_encode()
    answers = store._ask(_columns.of_arrow(items), details)
    large = arrow.types.is_large_string(items.type) or arrow.types.is_large_binary(items.type)
    section = _columns.arrow_names(answers.section, store._section_names, arrow.large_string() if large else arrow.string())
    if not details:
        return section
    return arrow.table({
        "section": section, "confidence": _columns.arrow_floats(answers.confidence, answers.section),
        "shelf": _columns.arrow_names(answers.shelf, store._shelf_names),
        "strategy": _columns.arrow_names(answers.strategy, store._strategy_names),
    })


# Polars


def _of_polars(store: Store, items: Any, details: bool) -> Any:
    polars = module("polars")
    is_category = items.dtype in (polars.Categorical, polars.Enum)
    if items.dtype not in (polars.String, polars.Null) and not is_category:
        raise TypeError(f"the column is of dtype {items.dtype}; items are of dtype String, Categorical, or Enum")
    values = items.cast(polars.String)
    if arrow_module() is not None:
        answers = _joined([store._ask(_columns.of_arrow(chunk), details) for chunk in _chunks(_arrow_of_polars(polars, values))], details)
    else:
        answers = store._ask(_columns.of_list(values.to_list()), details)
    if details:
        return polars.DataFrame(_named(store, answers), schema={
            "section": polars.String, "confidence": polars.Float32, "shelf": polars.String, "strategy": polars.String})
    names = polars.Series(store._section_names, dtype=polars.String)
    indexes = polars.Series([None if number < 0 else number for number in answers.section] if values.null_count() else
                            list(answers.section), dtype=polars.UInt32)
    found = names.gather(indexes).alias("section")
    return found.cast(items.dtype if items.dtype == polars.Categorical else polars.Enum(store._section_names)) if is_category else found


def _arrow_of_polars(polars: Any, values: Any) -> Any:
    level = getattr(polars, "CompatLevel", None)
    return values.to_arrow() if level is None else values.to_arrow(compat_level=level.oldest())


_KINDS: list[tuple[str, tuple[str, ...], Any]] = [
    ("pandas", ("Series",), _of_pandas), ("polars", ("Series",), _of_polars), ("pyarrow", ("Array", "ChunkedArray"), _of_arrow),
    ("numpy", ("ndarray",), _of_numpy),
]
