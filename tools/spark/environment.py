"""What checks and benchmarks of Spark run in: a virtual environment with Spark and without aisle, and aisle as an archive beside it."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / ".build/spark"
REQUIREMENTS = ROOT / "bindings/spark/tests/requirements.txt"


class Missing(Exception):
    """Something that is needed is not there; the message says how to get it."""


class Unreachable(Exception):
    """No package index answers."""


def clean():
    """The caller's environment without what would change what is run."""
    prefixes = ("AISLE_", "PYTHON", "SPARK_", "PYSPARK_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(prefixes)}
    return {**kept, "SPARK_LOCAL_IP": "127.0.0.1", "PYTHONDONTWRITEBYTECODE": "1"}


def require_java():
    home = os.environ.get("JAVA_HOME")
    if not (home and os.access(f"{home}/bin/java", os.X_OK)) and not shutil.which("java"):
        raise Missing("no `java` in PATH; run `tools/setup --tests`, or install the Debian package `default-jre-headless`")


def python(progress):
    """The environment's interpreter, with the packages that are listed today."""
    folder = FOLDER / "venv"
    interpreter, stamp = folder / "bin/python", folder / "installed"
    wanted = sys.version + "\n" + REQUIREMENTS.read_text()
    if stamp.exists() and stamp.read_text() == wanted:
        return interpreter
    progress(f"installing {REQUIREMENTS.relative_to(ROOT)}, 0.6 GB")
    if not interpreter.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    # PySpark's archive becomes a wheel and is unpacked at once, so that it need not be compressed.
    told = subprocess.run([interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                           "--config-settings=--build-option=--compression=stored", "-r", REQUIREMENTS],
                          capture_output=True, text=True)
    if told.returncode != 0:
        if any(sign in told.stderr for sign in ("Connection", "connection", "Temporary failure", "Network", "ProxyError", "timed out")):
            raise Unreachable
        raise Missing(f"pip could not install {REQUIREMENTS.relative_to(ROOT)}: {told.stderr.strip()[-500:]}")
    stamp.write_text(wanted)
    return interpreter


def archive(interpreter):
    """Makes aisle-env and aisle-env.tar.gz with the commands of docs/spark.md, and returns the paths of both."""
    page = (ROOT / "docs/spark.md").read_text(encoding="utf-8")
    commands = re.search(r"<!-- archive -->\n```text\n(.*?)```", page, re.DOTALL)[1]
    folder = FOLDER / "archive"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # As in a checkout, but that what they make stays out of it.
    (folder / "bindings").symlink_to(ROOT / "bindings")
    path = f"{pathlib.Path(interpreter).parent}:{os.environ['PATH']}"
    quiet = {"PIP_QUIET": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env={**clean(), "PATH": path, **quiet}, stdout=2, check=True)
    return folder / "aisle-env", folder / "aisle-env.tar.gz"
