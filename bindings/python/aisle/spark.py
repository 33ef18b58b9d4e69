"""Sections for the items of a Spark data frame.

```python
import aisle.spark
answered = aisle.spark.categorize(df, "name", store="kroger")
```

Nothing of Spark's is imported until a data frame is given, so that aisle needs no Spark.
"""
from __future__ import annotations

import difflib
import hashlib
import importlib
import os
import pathlib
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypedDict

from aisle import _library
from aisle._errors import BadFile, LibraryError
from aisle._store import Store

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["COLUMNS", "categorize"]

COLUMNS = {"section": "string", "confidence": "float", "shelf": "string", "strategy": "string", "reason": "string"}
"""The columns that are added, in order, and their types in Spark."""

_MAXIMUM_OPEN = 4
"""How many stores a Python worker keeps open, some megabytes each."""


_ROWS_AT_ONCE = 100_000
_BYTES_AT_ONCE = 1 << 26
"""How many rows, and bytes of all their columns, are gathered at most."""
_WORTHWHILE = 0.8
"""The share of different items above which all are asked about as they are."""


class _Plan(TypedDict):
    """What workers are told. Plain values only: they are unpickled before aisle can be imported from an archive."""

    version: str
    """The version of the driver's aisle: another one on a worker may decide otherwise."""
    place: int
    """The place of the items' column."""
    key: tuple[str | None, str | None, str | None, str]
    """What tells open stores apart: the store's id, the digests of its file and of the corrections, and the language."""
    files: tuple[Any, Any]
    """Broadcasts of the packed store and of the corrections, or None."""


def categorize(
    df: DataFrame, column: str = "name", *, store: str | None = None, file: str | os.PathLike[str] | None = None,
    corrections: str | os.PathLike[str] | None = None, language: str = "en", prefix: str = "",
) -> DataFrame:
    """Where the items of a column belong: the data frame with five more columns.

    All columns and rows of `df` come out as they are, in their order. Added are

    - `section`: the section's name; the fallback's where nothing decided;
    - `confidence`: how likely it is right, in 0…1; 0 where nothing decided;
    - `shelf`: the shelf that the item stands on; null where only the section is known;
    - `strategy`: what decided: `learned`, `keyword`, `model`, or `regex`; null where nothing did;
    - `reason`: null, or, where the four above are null, why: `missing`, `not UTF-8`, or an error of the library's. Such rows fail no job.

    - `column`: the name of a column of strings.
    - `store`: the id of a built-in store; see `aisle.stores`. Kroger where it is left out.
    - `file`: a file of the driver's that `aisle stores pack` wrote, for a store of your own.
    - `corrections`: a file of the driver's, as `aisle --db` uses it. Both files are read now, and broadcast.
    - `language`: the language of the items; so far, "en".
    - `prefix`: what the names of the added columns begin with, e.g. `aisle_`.

    Nothing runs until an action needs the rows. Each Python worker opens the store once, in some milliseconds. It asks about 100,000 rows or
    64 MiB at a time, so its memory does not depend on the number of rows; and once about items that are there several times among these.
    An item takes about a microsecond of one core.

    Raises UnknownStore, BadFile, LibraryError, or AisleError as `aisle.Store` does, BadFile also where there is no such file of
    corrections, ValueError for names of columns, and TypeError for their types; all of them now, on the driver. A worker without aisle, or
    with another version, fails the job.
    """
    if not hasattr(df, "mapInArrow"):
        raise TypeError(f"this is of type {type(df).__name__}; give a DataFrame of Spark 3.3 or later")
    place = _place(df, column)
    schema = _schema(df, prefix)
    with Store(store, file=file, corrections=corrections, language=language):
        pass  # opened for its errors alone, before anything runs
    contents = (None if file is None else pathlib.Path(file).read_bytes(), None if corrections is None else _corrections(corrections))
    packed, taught = (None if part is None else hashlib.sha256(part).hexdigest() for part in contents)
    plan: _Plan = {
        "version": _library.version(), "place": place, "key": (store, packed, taught, language),
        "files": (_broadcast(df, contents[0]), _broadcast(df, contents[1])),
    }
    # Spark looks the columns up by their names, of which it cannot have dots, backticks, or two alike; those of the schema are the real ones.
    plain = df.toDF(*(f"c{number}" for number in range(len(df.schema.fields))))
    return plain.mapInArrow(_mapping(plan), schema)


# On the driver


def _is_case_sensitive(df: DataFrame) -> bool:
    return str(df.sparkSession.conf.get("spark.sql.caseSensitive", "false")).lower() == "true"


def _place(df: DataFrame, column: str) -> int:
    """The place of a column of strings, by Spark's rules for names, but that one spelled exactly so is meant first."""
    types = importlib.import_module("pyspark.sql.types")
    if not isinstance(column, str):
        raise TypeError(f"the column is of type {type(column).__name__}; give its name")
    names = [field.name for field in df.schema.fields]
    places = [place for place, name in enumerate(names) if name == column]
    if not places and not _is_case_sensitive(df):
        places = [place for place, name in enumerate(names) if name.lower() == column.lower()]
    if not places:
        near = difflib.get_close_matches(column, names, 1)
        meant = f"; did you mean `{near[0]}`?" if near else ""
        raise ValueError(f"there is no column `{column}`{meant}; there are: {', '.join(names) or 'none'}")
    if len(places) > 1:
        raise ValueError(f"{len(places)} columns are named `{column}`; rename all but one")
    kind = df.schema.fields[places[0]].dataType
    if not isinstance(kind, types.StringType):
        raise TypeError(f"the column `{column}` is of type {kind.simpleString()}; items are of type string: give a column of strings, "
                        f"or cast it with `df.withColumn(…, df[…].cast(\"string\"))`")
    return places[0]


def _schema(df: DataFrame, prefix: str) -> Any:
    """The schema of what comes out."""
    types = importlib.import_module("pyspark.sql.types")
    key: Callable[[str], str] = str if _is_case_sensitive(df) else str.lower
    taken = {key(field.name): field.name for field in df.schema.fields}
    clashes = [taken[key(prefix + name)] for name in COLUMNS if key(prefix + name) in taken]
    if clashes:
        raise ValueError(f"the data frame has columns named like those that are added: {', '.join(clashes)}; rename or drop them, or give "
                         f"a prefix, such as prefix=\"{'aisle_' if prefix != 'aisle_' else 'aisle2_'}\"")
    kinds = {"string": types.StringType(), "float": types.FloatType()}
    return types.StructType([*df.schema.fields, *(types.StructField(prefix + name, kinds[kind]) for name, kind in COLUMNS.items())])


def _corrections(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file of corrections as it is between two transactions, as the library itself reads it.

    A transaction has a journal beside the file until it ends, and counts a number in the header up. A copy by SQLite would not do: the
    pages have checksums.
    """
    if not os.path.exists(path):
        raise BadFile(f"{os.fspath(path)}: no such file of corrections; teach one with `aisle correct --db`, or leave it out")
    file = pathlib.Path(path).resolve()
    for _ in range(300):
        if not _has_journal(file):
            contents = file.read_bytes()
            if not _has_journal(file) and _counter(file) == contents[24:28]:
                return contents
        time.sleep(0.01)
    raise BadFile(f"{os.fspath(path)}: another program keeps writing it; try again when that has ended")


def _has_journal(file: pathlib.Path) -> bool:
    return os.path.exists(f"{file}-journal")


def _counter(file: pathlib.Path) -> bytes:
    with file.open("rb") as source:
        return source.read(28)[24:]


def _broadcast(df: DataFrame, contents: bytes | None) -> Any:
    """What workers fetch once each, and only when they need it."""
    return None if contents is None else df.sparkSession.sparkContext.broadcast(contents)


def _mapping(plan: _Plan) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """The function that workers run."""

    def answered(batches: Iterable[Any]) -> Iterator[Any]:
        # A nested function is pickled by value: it needs no aisle to be unpickled, and finds the one that was shipped as an archive, which
        # is the driver's own, before any that is installed.
        import glob
        import os
        import sys

        from pyspark import SparkFiles

        if "aisle" not in sys.modules:
            shipped = glob.glob(os.path.join(glob.escape(SparkFiles.getRootDirectory()), "*", "aisle", "spark.py"))
            sys.path[:0] = [os.path.dirname(os.path.dirname(place)) for place in sorted(shipped)[:1]]
        try:
            from aisle.spark import _answered
        except ImportError as problem:
            raise ImportError(f"{problem}: this worker has no aisle; install its wheel there, or ship it with "
                              "`--archives aisle-env.tar.gz#env`, as docs/spark.md says") from None
        return _answered(batches, plan)

    return answered


# On a worker


_open: dict[Any, Store] = {}
"""The stores that are open in this Python worker, by `_Plan.key`."""


def _answered(batches: Iterable[Any], plan: _Plan) -> Iterator[Any]:
    """The record batches with their answers."""
    if _library.version() != plan["version"]:
        raise LibraryError(f"this worker has aisle {_library.version()}, and the driver {plan['version']}; install the same on both, or "
                           "ship it with `--archives`")
    store = _opened(plan)
    for gathered in _gathered(batches):
        yield from _with_answers(store, gathered, plan["place"])


def _opened(plan: _Plan) -> Store:
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


def _gathered(batches: Iterable[Any]) -> Iterator[list[Any]]:
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


def _with_answers(store: Store, batches: list[Any], place: int) -> Iterator[Any]:
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
