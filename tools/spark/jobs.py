"""The jobs that `tools/bench --spark` measures, on two threads of one session. Started with the Python that has
Spark; prints a JSON line a run.

A run's `wall` and `cpu` are in seconds; `cpu` is that of Spark and its Python workers, not of commands.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

import numpy
import pyarrow
import pyarrow.parquet
from pyspark.sql import SparkSession

import aisle.spark

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MILLION = 1_000_000
TICK = os.sysconf("SC_CLK_TCK")


def titles():
    lines = [line for name in ("catalog.tsv", "titles.tsv") for line in (ROOT / "corpus" / name).read_text(encoding="utf-8").splitlines()]
    return [line.split("\t")[0] for line in lines if line and not line.startswith("#")]


def write_inputs(folder, millions, seed):
    """Tables of a million rows each: the corpus's titles again and again, each time in another order; and a few of titles all different."""
    known, dice = pyarrow.array(titles()), numpy.random.default_rng(seed)
    for kind, count in [("titles", millions), ("different", min(4, millions))]:
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for number in range(count):
            path = folder / kind / f"{number:02}.parquet"
            if path.exists():
                continue
            order = numpy.concatenate([dice.permutation(len(known)) for _ in range(MILLION // len(known) + 1)])[:MILLION]
            ids = pyarrow.array(range(number * MILLION, (number + 1) * MILLION))
            names = known.take(pyarrow.array(order))
            if kind == "different":
                names = pyarrow.compute.binary_join_element_wise(names, ids.cast(pyarrow.string()), " ")
            pyarrow.parquet.write_table(pyarrow.table({"id": ids, "name": names}), path)


def write_text(folder, name, first, count):
    path = folder / name
    if not path.exists():
        with path.with_suffix(".new").open("wb") as text:
            for number in range(first, first + count):
                table = pyarrow.parquet.read_table(folder / f"titles/{number:02}.parquet", columns=["name"])
                text.write("".join(f"{title}\n" for title in table["name"].to_pylist()).encode())
        path.with_suffix(".new").rename(path)
    return path


def processor_times():
    """The seconds of each process of this session, by its id. Those of its children are not in them: a child's would come twice."""
    found, session = {}, os.getsid(0)
    for place in pathlib.Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                fields = (place / "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session:
                found[int(place.name)] = sum(map(int, fields[11:13])) / TICK
    return found


def measured(name, rows, body):
    before, begun = processor_times(), time.perf_counter()
    body()
    wall = time.perf_counter() - begun
    # A process that has ended meanwhile is left out: Spark's are there for many runs, and those that it ends had nothing to do.
    cpu = sum(seconds - before.get(process, 0) for process, seconds in processor_times().items())
    print(json.dumps({"name": name, "rows": rows, "wall": wall, "cpu": cpu, "load": os.getloadavg()[0]}), flush=True)


def drained(df):
    """Computes every row and column, and writes none."""
    df.write.format("noop").mode("overwrite").save()


def copied(batches):
    yield from batches


class Jobs:
    def __init__(self, spark, folder, binary, millions):
        self.spark, self.folder, self.millions = spark, folder, millions
        self.command = [binary, "categorize", "--jobs", "1", "--db", "off", "--config", "off"]
        self.half = write_text(folder, f"half-{millions}.txt", 0, millions // 2)
        self.piped = [str(write_text(folder, f"piped-{number}.txt", number, 1)) for number in range(2)]

    def table(self, kind, count):
        return self.spark.read.parquet(*(str(self.folder / kind / f"{number:02}.parquet") for number in range(count)))

    def copy(self, kind, count):
        df = self.table(kind, count)
        drained(df.mapInArrow(copied, df.schema))

    def aisle(self, kind, count):
        drained(aisle.spark.categorize(self.table(kind, count), "name"))

    def pipe(self):
        words = " ".join(self.command)
        self.spark.sparkContext.textFile(",".join(self.piped), 2).pipe(words, checkCode=True).foreach(lambda _: None)

    def pipe_table(self):
        """From the same table as the others: its rows become objects of Python's first."""
        names = self.table("titles", 2).select("name").rdd.map(lambda row: row[0])
        names.pipe(" ".join(self.command), checkCode=True).foreach(lambda _: None)

    def two_processes(self):
        started = []
        for _ in range(2):
            with self.half.open("rb") as text:
                started.append(subprocess.Popen(self.command, stdin=text, stdout=subprocess.DEVNULL))
        if any([process.wait() for process in started]):
            raise SystemExit(f"{' '.join(self.command)} failed")

    def round(self, is_backwards):
        count, some = self.millions, min(4, self.millions)
        runs = [("copy", count, lambda: self.copy("titles", count)), ("aisle", count, lambda: self.aisle("titles", count)),
                ("two processes", count, self.two_processes), ("rdd.pipe", 2, self.pipe_table), ("rdd.pipe, text", 2, self.pipe),
                ("copy, different", some, lambda: self.copy("different", some)),
                ("aisle, different", some, lambda: self.aisle("different", some))]
        runs += [(f"partitions {number}", number, lambda number=number: self.aisle("titles", number)) for number in (1, 2, 4)
                 if number <= count]
        for name, millions, body in reversed(runs) if is_backwards else runs:
            measured(name, millions * MILLION, body)


def main():
    parser = argparse.ArgumentParser()
    for name, kind in [("--folder", pathlib.Path), ("--binary", str), ("--millions", int), ("--rounds", int), ("--seed", int)]:
        parser.add_argument(name, type=kind, required=True)
    options = parser.parse_args()
    write_inputs(options.folder, options.millions, options.seed)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.memory": "3g",
                "spark.driver.host": "127.0.0.1",
                # A file is a partition.
                "spark.sql.files.openCostInBytes": "128m"}
    builder = SparkSession.builder.master("local[2]").appName("aisle's benchmark")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    jobs = Jobs(spark, options.folder, options.binary, options.millions)
    for kind in ("titles", "different"):  # to warm up
        jobs.copy(kind, min(2, options.millions))
        jobs.aisle(kind, min(2, options.millions))
    for number in range(options.rounds):
        jobs.round(number % 2 == 1)
    spark.stop()


if __name__ == "__main__":
    main()
