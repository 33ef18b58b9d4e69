"""Running categorize.py with spark-submit, as people do."""
from __future__ import annotations

import importlib.util
import os
import pathlib
import sys
from types import ModuleType

import conftest
import pyspark

SCRIPT = conftest.ROOT / "bindings/spark/categorize.py"
SPARK = pathlib.Path(pyspark.__file__).resolve().parent


def environment() -> dict[str, str]:
    """That of a process whose Python has no aisle, and which answers on loopback alone."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AISLE_", "PYTHON", "SPARK_", "PYSPARK_"))}
    return {**kept, "SPARK_HOME": str(SPARK), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable,
            "PYTHONDONTWRITEBYTECODE": "1"}


def submission(master: str, archive: pathlib.Path | None, *arguments: object, settings: dict[str, str] | None = None) -> list[str]:
    """The words of a command."""
    words = [str(SPARK / "bin/spark-submit"), "--master", master]
    for name, value in {"spark.ui.enabled": "false", **(settings or {})}.items():
        words += ["--conf", f"{name}={value}"]
    words += ["--archives", f"{archive}#env"] if archive else []
    return [*words, str(SCRIPT), *map(str, arguments)]


def script() -> ModuleType:
    """categorize.py as a module."""
    spec = importlib.util.spec_from_file_location("categorize", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
