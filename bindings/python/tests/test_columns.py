"""Items come as whatever holds them, and sections go back as the same."""
from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aisle

ITEMS = ["2 lbs chicken thighs", None, "jalapeños", "qwrtzx", ""]
SECTIONS = ["Meat & Seafood", None, "Produce", "Other", "Other"]
KROGER = aisle.Store("kroger")


def test_lists(store: aisle.Store) -> None:
    assert store.categorize(ITEMS) == SECTIONS
    assert store.categorize(tuple(ITEMS)) == tuple(SECTIONS)
    assert store.categorize(item for item in ITEMS) == SECTIONS
    assert store.categorize([]) == [] and store.categorize([None]) == [None]
    assert store.categorize([b"\xff kale", float("nan")]) == ["Produce", None]
    details = store.categorize(ITEMS, details=True)
    assert details[1] is None and details[0] == store["2 lbs chicken thighs"]


def test_titles_are_answered_as_one_by_one(store: aisle.Store, titles: list[str]) -> None:
    assert store.categorize(titles) == [store[title].section for title in titles]


@pytest.mark.parametrize(("items", "says"), [
    ("kale", "one item"), (b"kale", "one item"), (3, "int"), (None, "NoneType"), ({"a": 1}, "dict"), ([3], "item 0 is of type int"),
    (["kale", object()], "item 1"),
])
def test_what_is_no_list_of_items(store: aisle.Store, items: Any, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        store.categorize(items)
    with pytest.raises(ValueError, match="item 1 has a lone surrogate"):
        store.categorize(["kale", "\udcff"])


def test_numpy(store: aisle.Store) -> None:
    numpy = pytest.importorskip("numpy")
    found = store.categorize(numpy.array(ITEMS, dtype=object))
    assert isinstance(found, numpy.ndarray) and found.tolist() == SECTIONS
    texts = store.categorize(numpy.array(["kale", "oat milk"]))
    assert texts.dtype.kind == "U" and texts.tolist() == ["Produce", "Dairy & Eggs"]
    assert store.categorize(numpy.array([], dtype=object)).tolist() == []
    assert store.categorize(numpy.array(["kale"], dtype="S")).tolist() == ["Produce"]
    if hasattr(numpy.dtypes, "StringDType"):
        assert store.categorize(numpy.array(["kale"], dtype=numpy.dtypes.StringDType())).tolist() == ["Produce"]
    details = store.categorize(numpy.array(ITEMS, dtype=object), details=True)
    assert details["shelf"].tolist()[0] == "chicken" and numpy.isnan(details["confidence"][1])
    for wrong in [numpy.zeros(3), numpy.array([["kale"]]), numpy.array(["2020-01-01"], dtype="M8[D]")]:
        with pytest.raises(TypeError):
            store.categorize(wrong)


@pytest.mark.parametrize("dtype", ["object", "string", "string[pyarrow]", "large_string[pyarrow]", "category"])
def test_pandas(store: aisle.Store, dtype: str) -> None:
    pandas = pytest.importorskip("pandas")
    arrow = pytest.importorskip("pyarrow")
    kind = pandas.ArrowDtype(arrow.large_string()) if dtype.startswith("large") else dtype
    series = pandas.Series(ITEMS, index=[9, 8, 7, 6, 5], dtype=kind)
    found = store.categorize(series)
    assert isinstance(found, pandas.Series) and list(found.index) == [9, 8, 7, 6, 5]
    assert [None if value is pandas.NA or value != value else value for value in found] == SECTIONS
    assert found.dtype == series.dtype or dtype == "category" and found.dtype.name == "category"
    details = store.categorize(series, details=True)
    assert list(details.columns) == ["section", "confidence", "shelf", "strategy"] and list(details.index) == [9, 8, 7, 6, 5]
    assert details["shelf"].tolist()[0] == "chicken" and details["confidence"].isna().tolist() == [False, True, False, False, False]
    assert store.categorize(series.iloc[2:3]).tolist() == ["Produce"] and store.categorize(series.iloc[:0]).tolist() == []
    for wrong in [pandas.Series([1.5]), pandas.DataFrame({"item": ["kale"]}), pandas.Series([["kale"]]), pandas.Series([True])]:
        with pytest.raises(TypeError):
            store.categorize(wrong)


def test_polars(store: aisle.Store) -> None:
    polars = pytest.importorskip("polars")
    series = polars.Series("item", ITEMS)
    found = store.categorize(series)
    assert isinstance(found, polars.Series) and found.to_list() == SECTIONS and found.dtype == polars.String
    assert store.categorize(series.cast(polars.Categorical)).cast(polars.String).to_list() == SECTIONS
    assert store.categorize(series[2:3]).to_list() == ["Produce"] and store.categorize(series[:0]).to_list() == []
    assert store.categorize(polars.Series([None])).to_list() == [None]
    details = store.categorize(series, details=True)
    assert details.columns == ["section", "confidence", "shelf", "strategy"] and details["shelf"][0] == "chicken"
    assert details["confidence"][1] is None
    for wrong in [polars.Series([1]), polars.DataFrame({"item": ["kale"]})]:
        with pytest.raises(TypeError):
            store.categorize(wrong)


def test_pandas_and_polars_without_pyarrow(store: aisle.Store, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    monkeypatch.setattr("aisle._frames.arrow_module", lambda: None)
    assert store.categorize(polars.Series(ITEMS)).to_list() == SECTIONS
    found = store.categorize(pandas.Series(ITEMS, dtype="string")).tolist()
    assert [None if value is pandas.NA else value for value in found] == SECTIONS
    assert store.categorize(pandas.Series(ITEMS), details=True)["section"].tolist() == SECTIONS


def test_pyarrow(store: aisle.Store) -> None:
    arrow = pytest.importorskip("pyarrow")
    for kind in [arrow.string(), arrow.large_string(), arrow.string_view()]:
        array = arrow.array(ITEMS, kind)
        found = store.categorize(array)
        assert isinstance(found, arrow.Array) and found.to_pylist() == SECTIONS
        assert found.type == (kind if kind != arrow.string_view() else arrow.string())
        assert store.categorize(array.slice(2, 2)).to_pylist() == ["Produce", "Other"]
        assert store.categorize(array.slice(1, 1)).to_pylist() == [None] and store.categorize(array[:0]).to_pylist() == []
        chunked = arrow.chunked_array([array, array.slice(3), array.slice(0, 0)])
        assert store.categorize(chunked).to_pylist() == SECTIONS + SECTIONS[3:]
        assert store.categorize(chunked, details=True)["section"].to_pylist() == SECTIONS + SECTIONS[3:]
    assert store.categorize(arrow.array([b"\xff kale"], arrow.binary())).to_pylist() == ["Produce"]
    assert store.categorize(arrow.nulls(3)).to_pylist() == [None] * 3
    assert store.categorize(arrow.chunked_array([], arrow.string())).to_pylist() == []
    table = store.categorize(arrow.array(ITEMS), details=True)
    assert table.column_names == ["section", "confidence", "shelf", "strategy"]
    assert table["confidence"].null_count == 1 and table["strategy"].to_pylist() == ["keyword", None, "keyword", None, None]
    for wrong in [arrow.array([1]), arrow.array([["kale"]]), arrow.table({"item": ["kale"]})]:
        with pytest.raises(TypeError):
            store.categorize(wrong)


def test_dictionaries(store: aisle.Store) -> None:
    arrow = pytest.importorskip("pyarrow")
    array = arrow.array(ITEMS).dictionary_encode()
    found = store.categorize(array)
    assert arrow.types.is_dictionary(found.type) and found.to_pylist() == SECTIONS
    assert store.categorize(array.slice(2)).to_pylist() == SECTIONS[2:]
    assert store.categorize(array, details=True)["shelf"].to_pylist()[0] == "chicken"


def test_buffers_that_lie(store: aisle.Store) -> None:
    """Arrays that somebody put together by hand are refused, not read."""
    arrow = pytest.importorskip("pyarrow")
    numpy = pytest.importorskip("numpy")

    def array(offsets: list[int], data: bytes, count: int, large: bool = False) -> Any:
        kind = numpy.int64 if large else numpy.int32
        buffers = [None, arrow.py_buffer(numpy.array(offsets, kind)), arrow.py_buffer(data)]
        return arrow.Array.from_buffers(arrow.large_string() if large else arrow.string(), count, buffers)

    assert store.categorize(array([0, 4, 8], b"kalekale", 2)).to_pylist() == ["Produce"] * 2
    for offsets in [[0, 9, 8], [-1, 4, 8], [0, 4, 3], [0, 4, 1 << 30]]:
        for large in [False, True]:
            with pytest.raises(ValueError, match="offset"):
                store.categorize(array(offsets, b"kalekale", 2, large))
    with pytest.raises(ValueError, match="shorter than its length|too small"):
        store.categorize(array([0, 4], b"kale", 500))


@pytest.mark.skipif("config.getoption('--large', default=False) is False", reason="2.2 GB of memory; --large runs it")
def test_more_than_two_gigabytes(store: aisle.Store) -> None:
    arrow = pytest.importorskip("pyarrow")
    numpy = pytest.importorskip("numpy")
    size = (1 << 31) + 4096
    data = bytearray(b" " * size)
    data[-4:] = b"kale"
    offsets = numpy.array([0, 1 << 20, size - 4, size], numpy.int64)
    column = arrow.Array.from_buffers(arrow.large_string(), 3, [None, arrow.py_buffer(offsets), arrow.py_buffer(data)])
    assert store.categorize(column).to_pylist() == ["Other", "Other", "Produce"]


@given(st.lists(st.one_of(st.none(), st.text(max_size=40), st.sampled_from(["oat milk", "2 lbs beef", "Äpfel", "k\0le"]))))
def test_any_texts_are_answered_alike(items: list[str | None]) -> None:
    expected = [None if item is None else KROGER[item].section for item in items]
    assert KROGER.categorize(items) == expected
    assert [answer and answer.section for answer in KROGER.categorize(items, details=True)] == expected


@given(st.lists(st.one_of(st.none(), st.text(max_size=20))), st.integers(0, 10), st.integers(0, 10), st.booleans())
def test_any_slice_of_arrow_is_answered_alike(items: list[str | None], start: int, count: int, large: bool) -> None:
    arrow = pytest.importorskip("pyarrow")
    array = arrow.array(items, arrow.large_string() if large else arrow.string()).slice(start, count)
    assert KROGER.categorize(array).to_pylist() == KROGER.categorize(array.to_pylist())


@given(st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.binary(max_size=5)),
                    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=2), inner, max_size=2)),
                    max_leaves=10))
def test_anything_is_an_answer_or_an_error_that_says_what_to_do(anything: Any) -> None:
    for call in [KROGER.categorize, KROGER.__getitem__, KROGER.explain, aisle.eval, aisle.Store]:
        try:
            call(anything)
        except (TypeError, ValueError, aisle.AisleError) as error:
            assert len(str(error)) > 10


@given(st.lists(st.integers(-10, 300), min_size=2, max_size=20), st.binary(max_size=200), st.booleans(), st.integers(0, 20))
def test_any_buffers_are_an_answer_or_an_error(offsets: list[int], data: bytes, large: bool, count: int) -> None:
    arrow = pytest.importorskip("pyarrow")
    numpy = pytest.importorskip("numpy")
    kind, numbers = (arrow.large_string(), numpy.int64) if large else (arrow.string(), numpy.int32)
    try:
        array = arrow.Array.from_buffers(kind, count, [None, arrow.py_buffer(numpy.array(offsets, numbers)), arrow.py_buffer(data)])
    except ValueError:
        return
    try:
        found = KROGER.categorize(array)
        assert len(found) == count
    except ValueError as error:
        assert "offset" in str(error) or "buffers" in str(error)
