"""categorize.py: by spark-submit with Spark's Python, which has no aisle, and by parts."""
from __future__ import annotations

import pathlib
import subprocess
import sys

import jobs
import pyarrow
import pytest
from pyarrow import csv, parquet
from pyspark.sql import SparkSession

import aisle


def submitted(folder: pathlib.Path, archive: pathlib.Path | None, *arguments: object) -> tuple[int, list[str]]:
    """The exit code, and what the job itself said."""
    done = subprocess.run(jobs.submission("local[2]", archive, *arguments), cwd=folder, env=jobs.environment(), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=180)
    # spark-submit prints all that a Python program says to its own standard output.
    return done.returncode, [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("categorize.py: ")]


def test_spark_submit_with_an_archive(tmp_path: pathlib.Path, archive: pathlib.Path, items: list[str]) -> None:
    texts = [None, *items]
    parquet.write_table(pyarrow.table({"id": range(len(texts)), "name": texts}), tmp_path / "items.parquet")
    code, told = submitted(tmp_path, archive, "--in", "items.parquet", "--column", "name", "--out", "sections.parquet", "--store", "kroger")
    assert (code, told) == (0, [f"categorize.py: {len(texts):,} rows, 1 of them without a section; see the column reason"])
    found = parquet.read_table(tmp_path / "sections.parquet").sort_by("id")
    assert found.column_names == ["id", "name", "section", "confidence", "shelf", "strategy", "reason"]
    assert found["name"].to_pylist() == texts
    assert found["section"].to_pylist() == aisle.Store("kroger").categorize(texts)


@pytest.mark.long
def test_an_unknown_store_is_said_before_the_job(tmp_path: pathlib.Path, archive: pathlib.Path) -> None:
    parquet.write_table(pyarrow.table({"name": ["kale"]}), tmp_path / "items.parquet")
    code, told = submitted(tmp_path, archive, "--in", "items.parquet", "--out", "out.parquet", "--store", "krogr")
    assert code == 2 and len(told) == 1 and "did you mean `kroger`?" in told[0]
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.long
def test_without_aisle_the_remedy_is_said(tmp_path: pathlib.Path) -> None:
    parquet.write_table(pyarrow.table({"name": ["kale"]}), tmp_path / "items.parquet")
    code, told = submitted(tmp_path, None, "--in", "items.parquet", "--out", "out.parquet")
    assert code == 2 and len(told) == 1 and "--archives aisle-env.tar.gz#env" in told[0]


@pytest.mark.parametrize("arguments, code, says", [
    ([], 64, "categorize.py: the following arguments are required: --in, --out"),
    (["--in", "a", "--out", "b", "--stor", "kroger"], 64, "unrecognized arguments"),
    (["--in", "a", "--out", "b", "--store", "kroger", "--store-file", "c"], 64, "not allowed with"),
    (["--help"], 0, "--store-file FILE"),
])
def test_usage(arguments: list[str], code: int, says: str) -> None:
    done = subprocess.run([sys.executable, jobs.SCRIPT, *arguments], capture_output=True, text=True)
    assert done.returncode == code and says in (done.stderr if code else done.stdout)
    assert len(done.stderr.splitlines()) == (1 if code else 0)


def run(spark: SparkSession, *arguments: object) -> None:
    module = jobs.script()
    module.run(spark, module.parse([*map(str, arguments)]))


@pytest.mark.parametrize("name, text", [
    ("items.csv", 'id,name\n1,"kale, ""curly"""\n2,oat milk\n3,\n'),
    ("items.json", '{"id":1,"name":"kale"}\n{"id":2,"name":"oat milk"}\n{"id":3}\n'),
    ("items.jsonl", '{"id":1,"name":"kale"}\n{"id":2,"name":"oat milk"}\n{"id":3,"name":null}\n'),
])
def test_tables_by_the_ends_of_their_names(spark: SparkSession, tmp_path: pathlib.Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    run(spark, "--in", tmp_path / name, "--out", tmp_path / "out.csv", "--store", "tesco")
    found = pyarrow.concat_tables([csv.read_csv(part) for part in (tmp_path / "out.csv").glob("part-*")])
    assert found["section"].to_pylist()[:2] == aisle.Store("tesco").categorize(["kale", "oat milk"])
    assert found["reason"].to_pylist() == ["", "", "missing"]
    run(spark, "--in", tmp_path / name, "--out", tmp_path / "out.json", "--prefix", "aisle_")
    assert '"aisle_section":"Produce"' in "".join(part.read_text() for part in (tmp_path / "out.json").glob("part-*"))


def failure(spark: SparkSession, *arguments: object) -> str:
    module = jobs.script()
    with pytest.raises(Exception) as caught:
        module.run(spark, module.parse([*map(str, arguments)]))
    said: str = module.first_lines(caught.value)
    assert len(said.splitlines()) == 1
    return said


def test_what_goes_wrong_is_one_line(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    table, out = tmp_path / "items.parquet", tmp_path / "out.parquet"
    assert "PATH_NOT_FOUND" in failure(spark, "--in", table, "--out", out)
    parquet.write_table(pyarrow.table({"name": ["kale"], "price": [1]}), table)
    assert "did you mean `name`?" in failure(spark, "--in", table, "--out", out, "--column", "nmae")
    assert "of type bigint" in failure(spark, "--in", table, "--out", out, "--column", "price")
    assert "no such file of corrections" in failure(spark, "--in", table, "--out", out, "--corrections", tmp_path / "none.db")
    assert "aisle stores pack" in failure(spark, "--in", table, "--out", out, "--store-file", tmp_path / "none.aisle")
    run(spark, "--in", table, "--out", out)
    assert "already exists" in failure(spark, "--in", table, "--out", out)
    run(spark, "--in", table, "--out", out, "--overwrite")
    (tmp_path / "spoiled.parquet").write_bytes(b"PAR1 no table PAR1")
    assert failure(spark, "--in", tmp_path / "spoiled.parquet", "--out", tmp_path / "other.parquet")
