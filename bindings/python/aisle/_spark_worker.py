"""What Spark's Python workers do for `aisle.spark`: they open the store once, and answer batches of rows."""
from __future__ import annotations

import importlib
import os
import pathlib
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any, TypedDict

from aisle import _library
from aisle._errors import LibraryError
from aisle._store import Store

COLUMNS = {"section": "string", "confidence": "float", "shelf": "string", "strategy": "string", "reason": "string"}
"""The columns that are added, in order, and their types in Spark."""

_MAXIMUM_OPEN = 4
"""How many stores a Python worker keeps open, some megabytes each."""
_ROWS_AT_ONCE = 100_000
_BYTES_AT_ONCE = 1 << 26
"""How many rows, and bytes of all their columns, are gathered at most."""
_WORTHWHILE = 0.8
"""The share of different items above which all are asked about as they are."""


class Plan(TypedDict):
    """What workers are told. Plain values only: they are unpickled before aisle can be imported from an archive."""

    version: str
    """The version of the driver's aisle: another one on a worker may decide otherwise."""
    place: int
    """The place of the items' column."""
    key: tuple[str | None, str | None, str | None, str | None]
    """What tells open stores apart: the store's id, the digests of its file and of the corrections, and the language."""
    files: tuple[Any, Any]
    """Broadcasts of the packed store and of the corrections, or None."""


_open: dict[Any, Store] = {}
"""The stores that are open in this Python worker, by `Plan.key`."""


def answered(batches: Iterable[Any], plan: Plan) -> Iterator[Any]:
    """The record batches with their answers."""
    if _library.version() != plan["version"]:
        raise LibraryError(f"this worker has aisle {_library.version()}, and the driver {plan['version']}; install the same on both, or "
                           "ship it with `--archives`")
    store = _opened(plan)
    for group in gathered(batches):
        yield from with_answers(store, group, plan["place"])


def _opened(plan: Plan) -> Store:
    """The store, opened when this worker is first asked."""
    key = plan["key"]
    found = _open.pop(key, None)
    if found is None:
        store, _, _, language = key
        with tempfile.TemporaryDirectory(prefix="aisle-") as folder:
            # A packed store stays mapped, and corrections are read whole: neither file is needed afterwards.
            names = [_written(folder, name, broadcast) for name, broadcast in zip(["store.aisle", "corrections.db"], plan["files"])]
            found = Store(store, file=names[0], corrections=names[1], language=language)
        while len(_open) >= _MAXIMUM_OPEN:
            del _open[next(iter(_open))]
    _open[key] = found  # last: the one that was used longest ago goes first
    return found


def _written(folder: str, name: str, broadcast: Any) -> str | None:
    if broadcast is None:
        return None
    path = os.path.join(folder, name)
    pathlib.Path(path).write_bytes(broadcast.value)
    return path


def gathered(batches: Iterable[Any]) -> Iterator[list[Any]]:
    """Batches by so many that items which are in several of them are asked about once."""
    found: list[Any] = []
    rows = size = 0
    for batch in batches:
        # One that is too large itself goes alone: columns of strings end at 2 GiB.
        if found and (rows >= _ROWS_AT_ONCE or size + batch.nbytes > _BYTES_AT_ONCE):
            yield found
            found, rows, size = [], 0, 0
        found.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
    if found:
        yield found


def with_answers(store: Store, batches: list[Any], place: int) -> Iterator[Any]:
    """Record batches with five more columns."""
    arrow = importlib.import_module("pyarrow")
    columns = _answers(store, arrow.concat_arrays([batch.column(place) for batch in batches]))
    row = 0
    for batch in batches:
        # Spark goes by the places of columns, and has their names in the schema.
        yield arrow.RecordBatch.from_arrays([*batch.columns, *(column.slice(row, batch.num_rows) for column in columns)],
                                            names=[*batch.schema.names, *COLUMNS])
        row += batch.num_rows


def _answers(store: Store, items: Any) -> list[Any]:
    """The five columns of some items."""
    arrow = importlib.import_module("pyarrow")
    reasons: dict[int, str] = {}
    try:
        items.validate(full=True)
    except arrow.ArrowInvalid:
        items, reasons = _without_bad_text(items)
    try:
        table = _asked(store, items)
    except Exception:  # whatever it is, it belongs to some rows, and the others have answers
        items, failed = _without_failing(store, items)
        reasons |= failed
        table = _asked(store, items)
    return [*(arrow.concat_arrays(column.chunks) for column in table.columns), _reasons(arrow, items, reasons)]


def _asked(store: Store, items: Any) -> Any:
    """The answers as a table. To find items that are alike takes a thirtieth of the time that asking about them does."""
    encoded = items.dictionary_encode()
    if len(encoded.dictionary) > _WORTHWHILE * len(items):
        return store.categorize(items, details=True)
    return store.categorize(encoded.dictionary, details=True).take(encoded.indices)


def _reasons(arrow: Any, items: Any, reasons: dict[int, str]) -> Any:
    """Why rows have no answer; null for those that have one."""
    if items.null_count == 0:
        return arrow.nulls(len(items), arrow.string())
    compute = importlib.import_module("pyarrow.compute")
    if not reasons:
        return compute.if_else(compute.is_null(items), "missing", arrow.scalar(None, arrow.string()))
    missing = compute.is_null(items).to_pylist()
    return arrow.array([reasons.get(row, "missing") if is_missing else None for row, is_missing in enumerate(missing)], arrow.string())


def _without_bad_text(items: Any) -> tuple[Any, dict[int, str]]:
    """The items with null for those that are no UTF-8, and reasons by row."""
    arrow = importlib.import_module("pyarrow")
    kind = arrow.large_binary() if arrow.types.is_large_string(items.type) else arrow.binary()
    texts: list[bytes | None] = items.view(kind).to_pylist()
    reasons = {row: "not UTF-8" for row, text in enumerate(texts) if text is not None and not _is_text(text)}
    return arrow.array([None if row in reasons else text for row, text in enumerate(texts)], kind).view(items.type), reasons


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _without_failing(store: Store, items: Any) -> tuple[Any, dict[int, str]]:
    """The items with null for those that the library fails on, asked about one by one, and reasons by row."""
    arrow = importlib.import_module("pyarrow")
    texts: list[str | None] = items.to_pylist()
    reasons: dict[int, str] = {}
    for row, text in enumerate(texts):
        if text is None:
            continue
        try:
            store[text]
        except Exception as problem:
            reasons[row] = f"{type(problem).__name__}: {problem}"
    return arrow.array([None if row in reasons else text for row, text in enumerate(texts)], items.type), reasons
