"""What docs/python.md shows is so."""
from __future__ import annotations

import doctest
import re

import conftest
import pytest

import aisle

PAGE = conftest.ROOT / "docs/python.md"


def test_the_page_is_true() -> None:
    failed, count = doctest.testfile(str(PAGE), module_relative=False, globs={"aisle": aisle}, encoding="utf-8")
    assert count > 5 and failed == 0


def test_the_view_of_a_list_app() -> None:
    pytest.importorskip("flask")
    found = re.search(r"<!-- flask -->\n```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None and found[1].count("\n") <= 30
    names: dict[str, object] = {"__name__": "view"}
    exec(found[1], names)
    client = names["app"].test_client()  # type: ignore[attr-defined]
    told = client.post("/list", json=["2 lbs chicken thighs", "kale", "qwrtzx"]).get_json()
    assert [section["name"] for section in told["sections"]] == ["Produce", "Meat & Seafood", "Other"]
    assert [(item["item"], item["sure"]) for item in told["sections"][0]["items"]] == [("kale", True)]
    assert [item["confidence"] for item in told["sections"][2]["items"]] == [0]
    assert client.get("/why?item=kale").get_json()["section"] == "Produce"
    assert client.get("/why").get_json()["section"] == "Other"
    for wrong in ["kale", {"a": 1}, [1], [None]]:
        assert client.post("/list", json=wrong).status_code == 400
    assert client.post("/list", data="{", content_type="application/json").status_code == 400
