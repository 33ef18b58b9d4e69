"""The Python packages that figures are compared with, in an environment of their own: .build/python."""
import contextlib
import fcntl
import hashlib
import pathlib
import shutil
import subprocess
import sys

REQUIREMENTS = pathlib.Path(__file__).with_name("requirements.txt")
EXTRA = pathlib.Path(__file__).with_name("requirements-field.txt")  # only for tools/bench, and there may be no wheel of it


class Unreachable(Exception):
    """No package index answers."""


class NotInstalled(Exception):
    """The packages cannot be installed, for another reason."""


def python(root):
    """The environment's interpreter, or `None` where the packages are not installed as they are listed today."""
    folder = root / ".build/python"
    try:
        return folder / "bin/python" if (folder / "installed").read_text() == _wanted() else None
    except OSError:
        return None


def has_extra(root):
    """Whether the packages of `EXTRA` are there too, as they are listed today."""
    try:
        return python(root) is not None and (root / ".build/python/installed-field").read_text() == _wanted(EXTRA)
    except OSError:
        return False


def install_extra(root, progress):
    """Installs the packages of `EXTRA` beside the others, unless they are. Raises as `install` does."""
    interpreter = install(root, progress)
    with _lock(root / ".build/python.lock"):
        if has_extra(root):
            return
        progress(f"installing {', '.join(_names(EXTRA))}")
        _pip_install(interpreter, EXTRA)
        (root / ".build/python/installed-field").write_text(_wanted(EXTRA))


def install(root, progress):
    """Installs the packages, unless they are, and returns the environment's interpreter.

    Raises `Unreachable` and `NotInstalled`.
    """
    folder = root / ".build/python"
    folder.parent.mkdir(exist_ok=True)
    with _lock(folder.with_name("python.lock")):  # two tools may start at once
        if found := python(root):
            return found
        progress(f"installing {', '.join(_names())} into {folder}")
        shutil.rmtree(folder, ignore_errors=True)
        _run([sys.executable, "-m", "venv", str(folder)], "python3 -m venv (Debian: apt-get install python3-venv)")
        _pip_install(folder / "bin/python", REQUIREMENTS)
        (folder / "installed").write_text(_wanted())
        return folder / "bin/python"


def _pip_install(interpreter, requirements):
    pip = [str(interpreter), "-m", "pip", "--disable-pip-version-check", "--no-input", "--retries", "2"]
    try:
        _run([*pip, "install", "--requirement", str(requirements)], "pip install")
    except NotInstalled:
        # pip says "no matching distribution" whether there is no such version or no server answers.
        try:
            _run([*pip, "index", "versions", "pip"], "pip index")
        except NotInstalled as problem:
            raise Unreachable(str(problem)) from None
        raise


def _wanted(requirements=REQUIREMENTS):
    return hashlib.sha256(f"{sys.version} ".encode() + requirements.read_bytes()).hexdigest() + "\n"


def _names(requirements=REQUIREMENTS):
    return [line.split("==")[0] for line in requirements.read_text().splitlines() if line and not line.startswith("#")]


@contextlib.contextmanager
def _lock(path):
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _run(arguments, name):
    result = subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        raise NotInstalled(f"{name}: exit {result.returncode}\n{result.stdout.decode(errors='replace')[-2000:].strip()}")
