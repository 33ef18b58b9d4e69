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
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from aisle import _library
from aisle._errors import BadFile
from aisle._spark_worker import COLUMNS, Plan
from aisle._store import Store

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["COLUMNS", "categorize"]


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
        raise TypeError(f"this is of type {type(df).__name__}; give a DataFrame of Spark")
    place = _place(df, column)
    schema = _schema(df, prefix)
    with Store(store, file=file, corrections=corrections, language=language):
        pass  # opened for its errors alone, before anything runs
    contents = (None if file is None else pathlib.Path(file).read_bytes(), None if corrections is None else _corrections(corrections))
    packed, taught = (None if part is None else hashlib.sha256(part).hexdigest() for part in contents)
    plan: Plan = {
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


def _mapping(plan: Plan) -> Callable[[Iterable[Any]], Iterator[Any]]:
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
            from aisle._spark_worker import answered as answer
        except ImportError as problem:
            raise ImportError(f"{problem}: this worker has no aisle; install its wheel there, or ship it with "
                              "`--archives aisle-env.tar.gz#env`, as docs/spark.md says") from None
        return answer(batches, plan)

    return answered
