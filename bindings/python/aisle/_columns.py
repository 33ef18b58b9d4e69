"""Items as the library reads them: columns in Arrow's layout, from lists and from what data frames hold; and answers.

NumPy, pandas, and Polars are never imported here: they are looked up among the modules that are there already. PyArrow is, where a
column of pandas or Polars lies in Arrow's layout, so that it is read in place.
"""
from __future__ import annotations

import ctypes
import importlib
import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any

from aisle import _library


class Column:
    """Items in a row, in memory that something keeps alive."""

    __slots__ = ("data", "data_size", "offsets", "large_offsets", "validity", "offset", "count", "kept")

    def __init__(self, data: int | None, data_size: int, offsets: int | None, large: bool, validity: int | None, offset: int, count: int,
                 kept: object) -> None:
        self.data, self.data_size = data, data_size
        self.offsets = None if large else offsets
        self.large_offsets = offsets if large else None
        self.validity, self.offset, self.count, self.kept = validity, offset, count, kept

    def struct(self) -> _library.Items:
        return _library.Items(ctypes.sizeof(_library.Items), self.data, self.data_size, self.offsets, self.large_offsets, self.validity,
                              self.offset, self.count)


class Answers:
    """The numbers of sections and the rest, as the library writes them."""

    __slots__ = ("section", "confidence", "shelf", "strategy")

    def __init__(self, count: int, details: bool) -> None:
        self.section = array("h", bytes(2 * count))
        self.confidence = array("f", bytes(4 * count if details else 0))
        self.shelf = array("i", bytes(4 * count if details else 0))
        self.strategy = array("h", bytes(2 * count if details else 0))

    def struct(self) -> _library.Columns:
        def address(numbers: array[Any]) -> int | None:
            return numbers.buffer_info()[0] if len(numbers) else None

        return _library.Columns(ctypes.sizeof(_library.Columns), address(self.section), address(self.confidence), address(self.shelf),
                                address(self.strategy))


Ask = Callable[[Column, bool], Answers]


def module(name: str) -> Any:
    """A module, where somebody has imported it: what is no instance of its types needs none."""
    return sys.modules.get(name)


def arrow_module() -> Any:
    """PyArrow, where it is installed; else None."""
    try:
        return importlib.import_module("pyarrow")
    except ImportError:
        return None


# Lists


def encoded(item: object, place: int | None = None) -> bytes:
    """An item's bytes."""
    where = "the item" if place is None else f"item {place}"
    if isinstance(item, str):
        try:
            return item.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{where} has a lone surrogate, which is no text: {item[:60]!r}; "
                             "decode it with errors=\"replace\", or give the bytes") from None
    if isinstance(item, (bytes, bytearray)):
        return bytes(item)
    raise TypeError(f"{where} is of type {type(item).__name__}; an item is a str, or None")


def is_missing(item: object) -> bool:
    """Whether an item stands for no item: None, NaN, or pandas' NA."""
    if item is None or isinstance(item, float) and item != item:
        return True
    return type(item).__name__ in ("NAType", "NaTType") and type(item).__module__.startswith("pandas")


def _all_texts(items: Sequence[Any]) -> list[bytes] | None:
    """The bytes of items that are all of them texts; else None. It takes a loop that Python runs by itself."""
    try:
        return list(map(str.encode, items))
    except (TypeError, UnicodeEncodeError):
        return None


def of_list(items: Sequence[object]) -> Column:
    """A column of a list's items."""
    count = len(items)
    validity: bytearray | None = None
    parts = _all_texts(items)
    if parts is None:
        parts = []
        for place, item in enumerate(items):
            if is_missing(item):
                if validity is None:
                    validity = bytearray(b"\xff" * ((count + 7) // 8))
                validity[place >> 3] &= ~(1 << (place & 7)) & 0xFF
                parts.append(b"")
            else:
                parts.append(encoded(item, place))
    data, lengths = b"".join(parts), map(len, parts)
    offsets = array("q", accumulate(lengths, initial=0))
    valid = None if validity is None else (ctypes.c_uint8 * len(validity)).from_buffer(validity)
    return Column(ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value, len(data), offsets.buffer_info()[0], True,
                  None if valid is None else ctypes.addressof(valid), 0, count, (data, offsets, valid))


def names_of(numbers: Iterable[int], names: Sequence[str]) -> list[str | None]:
    """The names of numbers; -1 is none."""
    return list(map([*names, None].__getitem__, numbers))


# PyArrow


def of_arrow(values: Any) -> Column:
    """A column of an array of PyArrow's, in place."""
    arrow = module("pyarrow")
    kind = values.type
    if arrow.types.is_null(kind):
        values = values.cast(arrow.string())
    elif not any(is_text(kind) for is_text in _arrow_texts(arrow)):
        if not _is_view(arrow, kind):
            raise TypeError(f"the column is of type {kind}; items are of type string, large_string, or a dictionary of these")
        values = values.cast(arrow.large_string())
    kind = values.type
    large = arrow.types.is_large_string(kind) or arrow.types.is_large_binary(kind)
    validity, offsets, data = values.buffers()
    count, offset = len(values), values.offset
    if count == 0:
        return Column(None, 0, None, False, None, 0, 0, values)
    width = 8 if large else 4
    if offsets is None or offsets.size < (offset + count + 1) * width or validity is not None and validity.size * 8 < offset + count:
        raise ValueError("the column's buffers are shorter than its length says; check it with `.validate(full=True)`")
    return Column(None if data is None else data.address, 0 if data is None else data.size, offsets.address, large,
                  None if validity is None else validity.address, offset, count, values)


def _arrow_texts(arrow: Any) -> list[Callable[[Any], bool]]:
    types = arrow.types
    return [types.is_string, types.is_large_string, types.is_binary, types.is_large_binary]


def _is_view(arrow: Any, kind: Any) -> bool:
    return any(getattr(arrow.types, name, lambda _: False)(kind) for name in ("is_string_view", "is_binary_view"))


def arrow_names(numbers: array[int], names: Sequence[str], kind: Any = None) -> Any:
    """Names of numbers as an array of PyArrow's; -1 is null."""
    arrow = module("pyarrow")
    whole = arrow.array(names, kind or arrow.string())
    indexes = arrow.Array.from_buffers(arrow.int16() if numbers.typecode == "h" else arrow.int32(), len(numbers),
                                       [None, arrow.py_buffer(numbers)])
    if len(numbers) and min(numbers) < 0:
        compute = importlib.import_module("pyarrow.compute")
        indexes = compute.if_else(compute.greater_equal(indexes, 0), indexes, None)
    return whole.take(indexes)


def arrow_floats(numbers: array[float], missing: array[int]) -> Any:
    arrow = module("pyarrow")
    floats = arrow.Array.from_buffers(arrow.float32(), len(numbers), [None, arrow.py_buffer(numbers)])
    if len(missing) and min(missing) < 0:
        compute = importlib.import_module("pyarrow.compute")
        there = compute.greater_equal(arrow.Array.from_buffers(arrow.int16(), len(missing), [None, arrow.py_buffer(missing)]), 0)
        floats = compute.if_else(there, floats, None)
    return floats
