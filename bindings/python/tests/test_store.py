"""A store answers, says why, and says what to do where it cannot."""
from __future__ import annotations

import contextlib
import gc
import math
import os
import pathlib
import pickle
import re
import sqlite3
import subprocess
import sys
import threading

import conftest
import pytest

import aisle


def test_an_item_has_a_section(store: aisle.Store) -> None:
    answer = store["2 lbs chicken thighs"]
    assert answer == aisle.Answer("2 lbs chicken thighs", "Meat & Seafood", answer.confidence, "chicken", "keyword")
    assert 0.9 < answer.confidence <= 1


def test_what_nobody_knows_is_the_fallbacks(store: aisle.Store) -> None:
    for item in ["qwrtzx", "", "   ", "\0", "👾"]:
        assert store[item] == aisle.Answer(item, "Other", 0.0, None, None)


def test_the_names_of_a_store(store: aisle.Store) -> None:
    assert (store.id, store.name, store.fallback) == ("kroger", "Kroger", "Other")
    assert store.sections[0] == aisle.Section("produce", "Produce", "emerald")
    assert len(store.sections) == 12 and len(store.shelves) > 100
    assert store.strategies == ["keyword", "model", "regex"]
    assert {"kroger", "walmart", "tesco"} <= set(aisle.stores())
    assert {aisle.Store(name).id for name in aisle.stores()} == set(aisle.stores())


def test_an_explanation(store: aisle.Store) -> None:
    why = store.explain("2 lbs chicken thighs")
    assert (why["section"], why["keyword"], why["span"]) == ("Meat & Seafood", "chicken thigh", "6-20")
    assert store.explain("“" * 5000)["item"] == "“" * 5000
    with pytest.raises(ValueError, match="at most 1048576"):
        store.explain("x" * (1 << 21))


def test_what_is_no_item(store: aisle.Store) -> None:
    with pytest.raises(TypeError, match="int"):
        store[3]  # type: ignore[index]
    with pytest.raises(TypeError, match="NoneType"):
        store[None]  # type: ignore[index]
    with pytest.raises(ValueError, match="surrogate"):
        store["milk\ud800"]
    with pytest.raises(TypeError, match="sections"):
        list(store)
    assert store.explain("kale")["section"] == store["kale"].section


def test_a_store_that_is_not_there() -> None:
    with pytest.raises(aisle.UnknownStore, match="did you mean.*kroger|kroger.*stores pack"):
        aisle.Store("krogre")
    with pytest.raises(ValueError, match="NUL"):
        aisle.Store("kro\0ger")
    with pytest.raises(TypeError, match="int"):
        aisle.Store(3)  # type: ignore[arg-type]


def test_a_file_that_is_no_store(tmp_path: pathlib.Path) -> None:
    for path in [tmp_path, tmp_path / "none", pathlib.Path("/dev/null"), pathlib.Path(__file__)]:
        with pytest.raises(aisle.BadFile, match="aisle stores pack"):
            aisle.Store(file=path)
    with pytest.raises(aisle.BadFile, match="not a corrections file"):
        aisle.Store(corrections=__file__)
    assert aisle.Store(corrections=tmp_path / "none.db")["oat milk"].section == "Dairy & Eggs"


def test_folders_and_languages_are_packed(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    taxonomies = conftest.ROOT / "taxonomies"
    monkeypatch.setenv("PATH", str(tmp_path))
    for arguments in [{"language": "de"}, {"file": taxonomies}]:
        with pytest.raises(aisle.AisleError, match="not in PATH.*aisle stores pack"):
            aisle.Store(**arguments)  # type: ignore[arg-type]
    if not (conftest.ROOT / ".build/release/aisle").exists():
        pytest.skip("there is no .build/release/aisle")
    monkeypatch.setenv("PATH", str(conftest.ROOT / ".build/release"))
    monkeypatch.setenv("AISLE_TAXONOMIES", str(taxonomies))
    monkeypatch.setenv("AISLE_CACHE", str(tmp_path))
    german = aisle.Store("walmart", language="de,en")
    assert german.id == "walmart" and german["Apfelsaft"].section == aisle.Store("walmart")["apple juice"].section
    assert pickle.loads(pickle.dumps(german))["Apfelsaft"] == german["Apfelsaft"]
    assert aisle.Store("tesco", file=taxonomies)["oat milk"] == aisle.Store("tesco")["oat milk"]
    with pytest.raises(aisle.AisleError, match="no language `dee`; did you mean `de`"):
        aisle.Store(language="dee")
    with pytest.raises(aisle.BadFile, match="krogre.*kroger"):
        aisle.Store("krogre", file=taxonomies)
    subprocess.run(["aisle", "stores", "pack", "--language=de", f"--output={tmp_path / 'german.aisle'}"], check=True)
    assert aisle.Store(file=tmp_path / "german.aisle", language="de")["Apfelsaft"].section == "Beverages"
    with pytest.raises(aisle.AisleError, match="supports de, en, not `fr`"):
        aisle.Store(file=tmp_path / "german.aisle", language="fr")


def corrections(path: pathlib.Path, *rows: tuple[str, str, str | None]) -> pathlib.Path:
    """A file of corrections as aisle first wrote them: the table's statement is that of its sources."""
    source = (conftest.ROOT / "Sources/CorrectionMatching/Store/CorrectionSchema.swift").read_text()
    found = re.search(r"CREATE TABLE correction \(.*?\) STRICT", source, re.DOTALL)
    assert found is not None
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute(found[0].replace("\n      ", "\n"))
        database.execute("PRAGMA application_id = 0x4149534C")
        database.execute("PRAGMA user_version = 1")
        database.executemany(
            "INSERT INTO correction (store, key, item, section, shelf, proposer, time) "
            "VALUES ('kroger', ?1, ?1, ?2, ?3, 'jane', 1790000000000)", rows)
    return path


def test_corrections_outrank_everything(tmp_path: pathlib.Path) -> None:
    path = corrections(tmp_path / "aisle.db", ("oat milk", "Snacks", None), ("zorkly bites", "Bakery", "pies-and-tarts"))
    own = aisle.Store(corrections=path)
    assert own.strategies[0] == "learned"
    assert (own["2 oat milks"].section, own["oat milk"].strategy) == ("Snacks", "learned")
    assert own.categorize(["zorkly bites", "kale"] * 100) == ["Bakery", "Produce"] * 100
    assert "jane" in own.explain("oat milk")["note"]
    assert aisle.Store("tesco", corrections=tmp_path / "aisle.db")["zorkly bites"].shelf == "pies-and-tarts"


def test_a_damaged_file_of_corrections(tmp_path: pathlib.Path) -> None:
    path = corrections(tmp_path / "aisle.db", ("oat milk", "Snacks", None))
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(aisle.BadFile, match="damaged"):
        aisle.Store(corrections=path)
    with contextlib.closing(sqlite3.connect(tmp_path / "other.db")) as database, database:
        database.execute("CREATE TABLE correction (id)")
        database.execute("PRAGMA application_id = 0x4149534C")
        database.execute("PRAGMA user_version = 1")
    with pytest.raises(aisle.BadFile, match="lacks aisle's table"):
        aisle.Store(corrections=tmp_path / "other.db")


def test_a_closed_store_says_so() -> None:
    with aisle.Store() as own:
        assert own["kale"].section == "Produce"
    for call in [lambda: own["kale"], lambda: own.categorize(["kale"]), lambda: own.explain("kale")]:
        with pytest.raises(ValueError, match="closed"):
            call()
    own.close()


def test_a_store_is_closed_while_it_is_asked(titles: list[str]) -> None:
    own = aisle.Store()
    problems = []

    def ask() -> None:
        try:
            while True:
                own.categorize(titles)
        except ValueError:
            return
        except BaseException as problem:  # noqa: BLE001
            problems.append(problem)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    own.close()
    for thread in threads:
        thread.join()
    gc.collect()
    assert not problems


def test_one_by_one_from_many_threads(store: aisle.Store, titles: list[str]) -> None:
    some = [*titles[:400], "oat milk\0kale", "x" * 5000]
    expected = store.categorize(some)
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append([store[item].section for _ in range(5) for item in some])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected * 5] * 4


def test_a_store_is_pickled(store: aisle.Store) -> None:
    again = pickle.loads(pickle.dumps(aisle.Store("tesco")))
    assert again.id == "tesco" and again["kale"].section == aisle.Store("tesco")["kale"].section


def test_reprs(store: aisle.Store) -> None:
    assert repr(store) == f"<aisle.Store 'kroger': 12 sections, {len(store.shelves)} shelves>"
    assert "<td>Meat &amp; Seafood</td>" in store._repr_html_()


def test_an_evaluation(store: aisle.Store) -> None:
    found = aisle.eval(list(conftest.corpus("lists.tsv")), store)
    assert found.total.items == 520 and 0.9 < found.accuracy <= 1
    assert found.total.interval[0] < found.accuracy < found.total.interval[1]
    assert sum(score.items for score in found.sections) == 520 and len(found.mistakes) == 520 - found.total.right
    assert repr(found).startswith("kroger: ") and "&amp;" in found._repr_html_()
    assert aisle.eval({"item": ["kale", None, "oats"], "section": ["Produce", "Produce", ""]}).skipped == 2
    assert math.isnan(aisle.eval([]).accuracy)


@pytest.mark.parametrize(("labeled", "says"), [
    ([("kale", "Prodcue")], "did you mean `Produce`"), ({"item": [], "label": []}, "no column `section`"), (["kale"], "row 0"),
    ({"item": ["a"], "section": []}, "one section for each item"),
])
def test_labels_that_cannot_be_meant(labeled: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        aisle.eval(labeled)
    with pytest.raises(TypeError):
        aisle.eval([("kale", 3)])
    with pytest.raises(TypeError):
        aisle.eval(7)


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    home = str(pathlib.Path(aisle.__file__).parent.parent)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": home, **environment})


def test_a_library_that_is_missing_or_another(tmp_path: pathlib.Path) -> None:
    ask = "import aisle\ntry:\n    aisle.Store()\nexcept aisle.LibraryError as error:\n    print(error)"
    missing = run(ask, AISLE_LIBRARY=str(tmp_path / "libaisle.so"))
    assert "there is no library" in missing.stdout and "pip install" in missing.stdout, missing.stderr
    (tmp_path / "junk.so").write_bytes(b"junk")
    assert "cannot be loaded" in run(ask, AISLE_LIBRARY=str(tmp_path / "junk.so")).stdout
    for source, says in [("int aisle_abi_version(void) { return 99; }", "has interface 99"), ("int other;", "is no library of aisle's"),
                         ("int aisle_abi_version(void) { return 1; }", "is no library of aisle's")]:
        (tmp_path / "other.c").write_text(source)
        try:
            subprocess.run(["gcc", "-shared", "-fPIC", "-o", tmp_path / "other.so", tmp_path / "other.c"], check=True)
        except OSError:
            pytest.skip("no gcc")
        assert says in run(ask, AISLE_LIBRARY=str(tmp_path / "other.so")).stdout


FORKS = """
import multiprocessing, os, sys, threading, time
import aisle
store = aisle.Store()
items = [f"{n} oat milk" for n in range(20000)]
over = False
def ask():
    while not over:
        store.categorize(items)
        store["kale"]
threads = [threading.Thread(target=ask) for _ in range(4)]
[thread.start() for thread in threads]
failed = 0
for _ in range(20):
    child = os.fork()
    if child == 0:
        import signal
        signal.alarm(60)
        ok = store["oat milk"].section == "Dairy & Eggs" and aisle.Store("target")["kale"].section == "Produce"
        ok = ok and store.categorize(items[:3000])[0] == "Dairy & Eggs"
        os._exit(0 if ok else 1)
    failed += os.waitpid(child, 0)[1] != 0
over = True
[thread.join() for thread in threads]
for way in ("fork", "spawn"):
    with multiprocessing.get_context(way).Pool(2) as pool:
        failed += pool.map(store.categorize, [["oat milk"]] * 4) != [["Dairy & Eggs"]] * 4
print("failed", failed)
"""


def test_forks_in_the_middle(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "forks.py"
    program.write_text("if __name__ == '__main__':\n" + "".join(f"    {line}\n" for line in FORKS.splitlines()))
    home = str(pathlib.Path(aisle.__file__).parent.parent)
    told = subprocess.run([sys.executable, "-W", "ignore", program], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "PYTHONPATH": home})
    assert told.stdout.strip() == "failed 0", told.stderr
