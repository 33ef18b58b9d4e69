"""`aisle.spark.categorize` in Spark's local mode."""
from __future__ import annotations

import os
import pathlib
import re
import subprocess
from typing import Any

import conftest
import pyarrow
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col

import aisle
import aisle.spark
from aisle import _spark_worker

ADDED = list(aisle.spark.COLUMNS)


def frame(spark: SparkSession, items: list[str | None], name: str = "name", partitions: int = 2) -> DataFrame:
    rows = spark.createDataFrame(list(enumerate(items)), f"id long, `{name}` string")
    return rows.repartition(partitions) if partitions > 2 else rows


def answers(df: DataFrame) -> list[tuple[Any, ...]]:
    """The added columns, by id."""
    return [tuple(row[name] for name in ADDED) for row in sorted(df.collect(), key=lambda row: row["id"])]


def expected(store: aisle.Store, items: list[str]) -> list[tuple[Any, ...]]:
    return [(*answer[1:], None) for answer in store.categorize(items, details=True)]


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory, binary: pathlib.Path) -> pathlib.Path:
    """A file of corrections."""
    path = tmp_path_factory.mktemp("corrections") / "aisle.db"
    for item, section in [("oat milk", "Snacks"), ("zorkly crunch bites", "Bakery")]:
        subprocess.run([binary, "correct", item, section, "--db", path, "--config", "off", "--by", "jane"], check=True,
                       capture_output=True)
    return path


@pytest.fixture(scope="session")
def pack(tmp_path_factory: pytest.TempPathFactory, binary: pathlib.Path) -> pathlib.Path:
    """A packed store."""
    path = tmp_path_factory.mktemp("stores") / "corner.aisle"
    folder = conftest.ROOT / "tools/examples/corner/taxonomies"
    subprocess.run([binary, "stores", "pack", "--store", "corner", "--taxonomies", folder, "--config", "off", "--output", path], check=True,
                   capture_output=True)
    return path


def test_answers_are_those_of_the_package(spark: SparkSession, items: list[str]) -> None:
    for store in ["kroger", "tesco"]:
        found = aisle.spark.categorize(frame(spark, list(items)), "name", store=store)
        assert answers(found) == expected(aisle.Store(store), items)


def test_all_columns_stay_as_they_are(spark: SparkSession) -> None:
    df = spark.sql("""select 1L as id, 'kale' as name, decimal('1.50') as price, array('a', null) as tags, map('k', 2) as counts,
                      named_struct('x', date'2026-01-02', 'y', cast(null as string)) as inner, X'00ff' as bytes, current_timestamp() as at,
                      true as flag, cast(null as void) as nothing""")
    found = aisle.spark.categorize(df, "name")
    assert found.columns == [*df.columns, *ADDED]
    assert found.schema.fields[:len(df.columns)] == df.schema.fields
    assert [field.dataType.simpleString() for field in found.schema.fields[len(df.columns):]] == list(aisle.spark.COLUMNS.values())
    assert found.drop("at", *ADDED).collect() == df.drop("at").collect()


def test_bad_rows_have_a_reason(spark: SparkSession) -> None:
    df = spark.sql("""select * from values (0L, 'kale'), (1L, null), (2L, cast(X'6bff61' as string)), (3L, ''), (4L, cast(X'00' as string)),
                      (5L, repeat('oat milk ', 50000)), (6L, null) as t(id, name)""").coalesce(1)
    found = answers(aisle.spark.categorize(df, "name"))
    assert [row[4] for row in found] == [None, "missing", "not UTF-8", None, None, None, "missing"]
    assert [row[0] for row in found[:4]] == ["Produce", None, None, "Other"]
    assert all(row[:4] == (None,) * 4 for row in found if row[4] is not None)


def test_what_the_library_fails_on_is_a_bad_row(spark: SparkSession, items: list[str]) -> None:
    def spoiled(batches: Any) -> Any:
        """The worker's part, with a library that cannot stand one item."""
        from aisle import Store
        from aisle._spark_worker import with_answers

        class Weak(Store):
            def __getitem__(self, item: str) -> Any:
                if item == "boom":
                    raise OverflowError("too much")
                return super().__getitem__(item)

            def _ask(self, column: Any, details: bool) -> Any:
                if b"boom" in bytes(memoryview(column.kept.buffers()[2] or b"")):
                    raise OverflowError("too much")
                return super()._ask(column, details)

        store = Weak("kroger")
        for batch in batches:
            yield from with_answers(store, [batch], 1)

    texts: list[str | None] = [*items[:50], "boom", None, *items[50:100]]
    df = frame(spark, texts).coalesce(1)
    found = answers(df.mapInArrow(spoiled, aisle.spark.categorize(df, "name").schema))
    assert found[50] == (None, None, None, None, "OverflowError: too much")
    assert found[51] == (None, None, None, None, "missing")
    assert found[:50] + found[52:] == expected(aisle.Store(), items[:100])


def test_many_batches_keep_their_rows(spark: SparkSession, items: list[str]) -> None:
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "700")
    try:
        # Alike, different, and missing items, in batches that are gathered and in a last one that is not full.
        texts: list[str | None] = [None if row % 97 == 0 else items[row % 4000] + (f" {row}" if row // 20000 % 2 else "")
                                   for row in range(130_001)]
        rows = spark.createDataFrame(pyarrow.table({"id": range(len(texts)), "name": texts})).coalesce(1)
        found = aisle.spark.categorize(rows).toArrow()
        assert found["id"].to_pylist() == list(range(len(texts))) and found["name"].to_pylist() == texts
        expected = aisle.Store().categorize(pyarrow.array(texts), details=True)
        assert found.select(expected.column_names).to_pydict() == expected.to_pydict()
        assert found["reason"].to_pylist() == ["missing" if text is None else None for text in texts]
    finally:
        spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")


def test_what_is_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aisle._spark_worker._ROWS_AT_ONCE", 10)
    monkeypatch.setattr("aisle._spark_worker._BYTES_AT_ONCE", 400)
    batches = [pyarrow.record_batch({"id": pyarrow.array(range(count))}) for count in [4, 4, 4, 4, 1, 60, 1, 30, 30]]
    gathered = [[batch.num_rows for batch in group] for group in _spark_worker.gathered(batches)]
    assert gathered == [[4, 4, 4], [4, 1], [60], [1, 30], [30]]
    assert list(_spark_worker.gathered([])) == []


def test_no_rows_and_empty_partitions(spark: SparkSession) -> None:
    df = frame(spark, ["kale", "oat milk", None])
    assert aisle.spark.categorize(df.limit(0), "name").collect() == []
    assert aisle.spark.categorize(df.where("id > 5"), "name").columns == ["id", "name", *ADDED]
    sparse = aisle.spark.categorize(df.repartition(7), "name")
    assert [row[0] for row in answers(sparse)] == ["Produce", "Dairy & Eggs", None]


def test_only_nulls(spark: SparkSession) -> None:
    assert answers(aisle.spark.categorize(frame(spark, [None] * 3), "name")) == [(None, None, None, None, "missing")] * 3


@pytest.mark.parametrize("name", ["product.name", "two words", "a`b", "Ünïcode 🥬", "select", "", "id.name"])
def test_odd_names_of_columns(spark: SparkSession, name: str) -> None:
    df = frame(spark, ["kale"], "plain").withColumnRenamed("plain", name)
    found = aisle.spark.categorize(df, name)
    assert found.columns == ["id", name, *ADDED] and found.collect()[0][2] == "Produce"


def test_names_follow_sparks_rules_for_case(spark: SparkSession) -> None:
    df = frame(spark, ["kale"], "Name")
    assert answers(aisle.spark.categorize(df, "name"))[0][0] == "Produce"
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        with pytest.raises(ValueError, match="there is no column `name`; did you mean `Name`"):
            aisle.spark.categorize(df, "name")
        shouted = df.withColumnRenamed("id", "SECTION")
        assert aisle.spark.categorize(shouted, "Name").columns == ["SECTION", "Name", *ADDED]
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


def test_names_that_clash_are_refused_with_a_remedy(spark: SparkSession) -> None:
    df = frame(spark, ["kale"]).withColumn("Section", col("name")).withColumn("shelf", col("id"))
    with pytest.raises(ValueError, match=r"Section, shelf; rename or drop them, or give a prefix, such as prefix=\"aisle_\""):
        aisle.spark.categorize(df, "name")
    found = aisle.spark.categorize(df, "name", prefix="aisle_")
    assert found.columns == [*df.columns, *("aisle_" + name for name in ADDED)]
    assert found.collect()[0]["aisle_section"] == "Produce"
    with pytest.raises(ValueError, match="aisle2_"):
        aisle.spark.categorize(found, "name", prefix="aisle_")


@pytest.mark.parametrize("column, error, says", [
    ("nmae", ValueError, "no column `nmae`; did you mean `name`?"), ("id", TypeError, r"of type bigint.*cast"),
    ("tags", TypeError, "of type array<string>"), (7, TypeError, "give its name"),
])
def test_what_is_no_column_of_items(spark: SparkSession, column: Any, error: type[Exception], says: str) -> None:
    df = spark.sql("select 1L as id, 'kale' as name, array('a') as tags")
    with pytest.raises(error, match=says):
        aisle.spark.categorize(df, column)


def test_two_columns_of_one_name(spark: SparkSession) -> None:
    df = frame(spark, ["kale"])
    with pytest.raises(ValueError, match="2 columns are named `name`"):
        aisle.spark.categorize(df.join(df.withColumnRenamed("id", "other"), col("id") == col("other")), "name")
    with pytest.raises(TypeError, match="give a DataFrame of Spark"):
        aisle.spark.categorize([{"name": "kale"}], "name")  # type: ignore[arg-type]


def test_what_cannot_be_opened_is_said_before_a_job(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    df = frame(spark, ["kale"])
    spoiled = tmp_path / "spoiled.db"
    spoiled.write_bytes(b"oat milk\tSnacks\n" * 100)
    with pytest.raises(aisle.UnknownStore, match="did you mean `kroger`?"):
        aisle.spark.categorize(df, store="krogr")
    with pytest.raises(aisle.BadFile, match="aisle stores pack"):
        aisle.spark.categorize(df, file=spoiled)
    with pytest.raises(aisle.BadFile, match="not a corrections file"):
        aisle.spark.categorize(df, corrections=spoiled)
    with pytest.raises(aisle.BadFile, match="aisle correct --db"):
        aisle.spark.categorize(df, corrections=tmp_path / "none.db")
    with pytest.raises(aisle.AisleError):
        aisle.spark.categorize(df, language="tlh")


def test_corrections_are_shipped(spark: SparkSession, database: pathlib.Path, tmp_path: pathlib.Path, items: list[str]) -> None:
    texts = ["oat milk", "zorkly crunch bites", *items[:200]]
    copy = tmp_path / "copy.db"
    copy.write_bytes(database.read_bytes())
    found = aisle.spark.categorize(frame(spark, list(texts)), corrections=copy)
    copy.unlink()  # workers on other machines do not have it either
    rows = answers(found)
    assert [(row[0], row[3]) for row in rows[:2]] == [("Snacks", "learned"), ("Bakery", "learned")]
    assert rows == expected(aisle.Store(corrections=database), texts)


def test_a_packed_store_is_shipped(spark: SparkSession, pack: pathlib.Path, database: pathlib.Path, tmp_path: pathlib.Path,
                                   items: list[str]) -> None:
    copy = tmp_path / "copy.aisle"
    copy.write_bytes(pack.read_bytes())
    found = aisle.spark.categorize(frame(spark, list(items)), file=copy)
    copy.unlink()
    assert answers(found) == expected(aisle.Store(file=pack), items)


def test_a_worker_opens_a_store_once(spark: SparkSession) -> None:
    def opened(batches: Any) -> Any:
        """What this Python worker has opened, and how often."""
        import pyarrow

        from aisle import _spark_worker as worker

        calls = getattr(worker, "_calls", 0)
        if not calls:
            original = worker.Store

            def counted(*arguments: Any, **options: Any) -> Any:
                worker._calls += 1
                return original(*arguments, **options)

            worker._calls, worker.Store = 1, counted  # type: ignore[attr-defined, misc, assignment]
            worker._open.clear()
        for batch in worker.answered(batches, plan):
            counts = pyarrow.array([worker._calls - 1] * batch.num_rows)  # type: ignore[attr-defined]
            yield pyarrow.RecordBatch.from_arrays([counts], names=["calls"])

    plan: Any = {"version": aisle.version(), "place": 1, "key": ("aldi", None, None, "en"), "files": (None, None)}
    df = frame(spark, ["kale"] * 400, partitions=8)
    counts = {row["calls"] for row in df.mapInArrow(opened, "calls long").collect()}
    assert counts == {1}


def test_another_version_on_a_worker_fails_the_job(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aisle._library.version", lambda: "9.9.9")
    df = aisle.spark.categorize(frame(spark, ["kale"]))
    with pytest.raises(PySparkException, match=f"this worker has aisle {aisle.version()}, and the driver 9.9.9"):
        df.collect()


def test_large_texts_of_arrow(spark: SparkSession, items: list[str]) -> None:
    spark.conf.set("spark.sql.execution.arrow.useLargeVarTypes", "true")
    try:
        texts: list[str | None] = [*items[:300], None]
        assert answers(aisle.spark.categorize(frame(spark, texts)))[:-1] == expected(aisle.Store(), items[:300])
        bad = spark.sql("select 0L as id, cast(X'ff' as string) as name")
        assert answers(aisle.spark.categorize(bad)) == [(None, None, None, None, "not UTF-8")]
    finally:
        spark.conf.unset("spark.sql.execution.arrow.useLargeVarTypes")


def test_a_stream(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/one.json").write_text('{"id": 1, "name": "kale"}\n')
    lines = spark.readStream.schema("id long, name string").json(str(tmp_path / "in"))
    writing = aisle.spark.categorize(lines).writeStream.format("memory").queryName("answered").trigger(availableNow=True)
    writing.option("checkpointLocation", str(tmp_path / "checkpoint")).start().awaitTermination(60)
    assert [row["section"] for row in spark.table("answered").collect()] == ["Produce"]


def test_the_page_is_true(spark: SparkSession, pack: pathlib.Path, database: pathlib.Path, tmp_path: pathlib.Path,
                          monkeypatch: pytest.MonkeyPatch) -> None:
    for path, name in [(pack, "corner.aisle"), (database, "aisle.db")]:
        (tmp_path / name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"<!-- run -->\n```python\n(.*?)```", (conftest.ROOT / "docs/spark.md").read_text(), re.DOTALL)
    assert len(blocks) == 2
    names: dict[str, object] = {"df": frame(spark, ["kale", None])}
    for block in blocks:
        exec(block, names)


def test_nothing_is_left_in_the_folder_for_scratch_files(spark: SparkSession, database: pathlib.Path, tmp_path: pathlib.Path,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    aisle.spark.categorize(frame(spark, ["kale"]), corrections=database)
    assert os.listdir(tmp_path) == []
