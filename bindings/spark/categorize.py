#!/usr/bin/env python3
"""Says which section of a store the items of a table belong to, with Spark. For spark-submit.

  spark-submit --archives aisle-env.tar.gz#env bindings/spark/categorize.py \\
    --in items.parquet --column name --out sections.parquet --store kroger

Every row and column of the input comes out, with five more: section, confidence, shelf, strategy, and reason, which says why a row has no
section. Tables are Parquet, CSV with a header, or JSON lines, by the end of their names (.csv, .json, .jsonl, also with .gz); Parquet
where it is another. aisle is found in a folder that was shipped with --archives, or where it is installed. docs/spark.md has the rest.

Exit codes: 0 done; 2 bad input data, or the job failed; 64 usage.
"""
from __future__ import annotations

import argparse
import glob
import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

NAME = "categorize.py"
FORMATS = {".parquet": "parquet", ".csv": "csv", ".json": "json", ".jsonl": "json", ".ndjson": "json"}
CSV = {"header": "true", "escape": '"'}


class Failed(Exception):
    """Something that the person who asked can mend."""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"{NAME}: {message}; see --help", file=sys.stderr)
        sys.exit(64)


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(prog=NAME, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--in", dest="input", metavar="PATH", required=True, help="the table with the items")
    parser.add_argument("--column", metavar="NAME", default="name", help="the column of the items (default: %(default)s)")
    parser.add_argument("--out", metavar="PATH", required=True, help="where the answers go; it must not be there yet")
    parser.add_argument("--overwrite", action="store_true", help="replace what is there")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--store", metavar="ID", help="a built-in store (default: kroger)")
    which.add_argument("--store-file", metavar="FILE", help="a store of your own, which `aisle stores pack` wrote")
    parser.add_argument("--corrections", metavar="FILE", help="the corrections that `aisle correct --db` taught")
    parser.add_argument("--prefix", metavar="TEXT", default="", help="what the names of the added columns begin with")
    return parser.parse_args(arguments)


def format_of(path: str) -> str:
    """A table's format by its name."""
    name = path.rstrip("/").lower()
    return FORMATS.get(os.path.splitext(name.removesuffix(".gz"))[1], "parquet")


def found_aisle() -> ModuleType:
    """aisle's module for Spark, of an archive that was shipped, else as it is installed. Archives are there once the session is."""
    from pyspark import SparkFiles

    shipped = glob.glob(os.path.join(glob.escape(SparkFiles.getRootDirectory()), "*", "aisle", "spark.py"))
    sys.path[:0] = [os.path.dirname(os.path.dirname(place)) for place in sorted(shipped)[:1]]
    try:
        import aisle.spark
    except ModuleNotFoundError as problem:
        raise Failed(f"{problem}; install aisle's wheel here, or ship it with `--archives aisle-env.tar.gz#env`, "
                     "as docs/spark.md says") from None
    return aisle.spark


def read(session: SparkSession, path: str) -> DataFrame:
    kind = format_of(path)
    return session.read.format(kind).options(**(CSV if kind == "csv" else {})).load(path)


def run(session: SparkSession, options: argparse.Namespace) -> None:
    from pyspark.sql import Observation
    from pyspark.sql.functions import col, count, lit

    categorize = found_aisle().categorize
    answered = categorize(read(session, options.input), options.column, store=options.store, file=options.store_file,
                          corrections=options.corrections, prefix=options.prefix)
    seen = Observation("aisle")
    counted = answered.observe(seen, count(lit(1)).alias("rows"), count(col(f"`{options.prefix}reason`")).alias("bad"))
    kind = format_of(options.out)
    written = counted.write.format(kind).options(**(CSV if kind == "csv" else {}))
    written.mode("overwrite" if options.overwrite else "error").save(options.out)
    rows, bad = seen.get["rows"], seen.get["bad"]
    print(f"{NAME}: {rows:,} rows, {bad:,} of them without a section" + (f"; see the column {options.prefix}reason" if bad else ""),
          file=sys.stderr)


def first_lines(problem: Exception) -> str:
    """What is wrong, without the plans and stacks that follow."""
    text = str(problem).strip() or type(problem).__name__
    for mark in ("\n\nJVM stacktrace", ";\n'", ";\n", "\n\n"):
        text = text.split(mark)[0]
    lines = text.splitlines()
    # The last line of a worker's own exception says what it was.
    told = [line.strip() for line in str(problem).splitlines() if line.startswith(("aisle.", "ImportError", "ModuleNotFoundError"))]
    return told[0] if told else " ".join(line.strip() for line in lines[:3])


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError as problem:
        print(f"{NAME}: {problem}; run it with spark-submit", file=sys.stderr)
        return 2
    session = SparkSession.builder.appName("aisle").getOrCreate()
    try:
        run(session, options)
    except (Failed, OSError, LookupError, ValueError, TypeError, PySparkException) as problem:
        print(f"{NAME}: {first_lines(problem)}", file=sys.stderr)
        return 2
    finally:
        session.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
