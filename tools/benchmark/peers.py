"""The programs that `aisle` is compared with. A peer that is not installed is skipped with a notice."""
import os
import pathlib
import shutil
import subprocess

import packages

REGISTRY = pathlib.Path("/usr/share/cargo/registry")
HERE = pathlib.Path(__file__).resolve().parent


def node(progress):
    """The path of Node, or `None`."""
    path = shutil.which("node") or shutil.which("nodejs")
    if not path:
        progress("notice: no Node here, its figures are left out; tools/bench --install-peers installs it")
    return path


def rust(cache, progress):
    """Builds the Rust peer from Debian's crates, without a network, and returns its path, or `None`."""
    if not shutil.which("cargo"):
        progress("notice: no cargo here, the Rust figures are left out; tools/bench --install-peers installs it")
        return None
    if not list(REGISTRY.glob("aho-corasick-0.7*")):
        progress("notice: no aho-corasick crate here, the Rust figures are left out; tools/bench --install-peers installs it")
        return None
    folder = cache / "rust"
    copy_changed(HERE / "rust", folder)
    (folder / ".cargo").mkdir(exist_ok=True)
    (folder / ".cargo/config.toml").write_text(
        f'[source.crates-io]\nreplace-with = "debian"\n\n[source.debian]\ndirectory = "{REGISTRY}"\n')
    progress("building the Rust peer")
    # Its own target folder, whatever the caller's environment says; RUSTFLAGS stay out of a comparison too.
    environment = {name: value for name, value in os.environ.items() if name not in ("CARGO_TARGET_DIR", "RUSTFLAGS")}
    built = subprocess.run(["cargo", "build", "--release", "--offline", "--quiet"], cwd=folder, env=environment,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if built.returncode != 0:
        progress("notice: the Rust peer did not build, its figures are left out:\n" + built.stdout.decode(errors="replace"))
        return None
    return folder / "target/release/keyword-peer"


def empty_server(root, cache, progress):
    """Builds a server of the same framework that does nothing, with the flags of the release build, and returns its path."""
    folder = cache / "empty-server"
    copy_changed(HERE / "empty-server", folder)
    progress("building the empty server")
    flags = subprocess.check_output([root / "tools/build-flags"], text=True).replace("-L.build/static", f"-L{root}/.build/static")
    subprocess.run(["swift", "build", "-c", "release", *flags.split()], cwd=folder, stdout=2, check=True)
    return folder / ".build/release/empty-server"


def scikit_learn(root, progress):
    """The path of an interpreter that has scikit-learn, or `None`."""
    path = packages.python(root)
    if not path:
        progress("notice: no scikit-learn here, its figures are left out; tools/bench --install-peers installs it")
    return path


def copy_changed(source, target):
    """Copies files whose content differs, so that cargo rebuilds only when there is a change."""
    for file in source.rglob("*"):
        copy = target / file.relative_to(source)
        if file.is_file() and not (copy.exists() and copy.read_bytes() == file.read_bytes()):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)


def install(root, progress):
    """Installs the peers that are missing: scikit-learn and fastText with pip, the others with apt. Returns the exit code."""
    return max(_install_packages(root, progress, packages.install, "scikit-learn"),
               _install_packages(root, progress, packages.install_extra, "fastText"),
               _install_programs(progress))


def _install_packages(root, progress, installer, name):
    try:
        installer(root, progress)
    except packages.Unreachable:
        progress(f"no package index answers, so {name} is not installed; try again with a network")
        return 2
    except (packages.NotInstalled, OSError) as problem:
        progress(f"{name} is not installed: {problem}")
        return 2
    return 0


def _install_programs(progress):
    """Installs what apt has, as root or through sudo."""
    missing = []
    if not list(REGISTRY.glob("aho-corasick-0.7*")):
        missing.append("librust-aho-corasick-dev")
    if not shutil.which("cargo"):
        missing.append("cargo")
    if not shutil.which("wrk"):
        missing.append("wrk")
    if not (shutil.which("node") or shutil.which("nodejs")):
        missing.append("nodejs")
    if not missing:
        progress("all peers are installed")
        return 0
    if not shutil.which("apt-get"):
        progress("no apt-get here; install these in your own way: " + ", ".join(missing))
        return 2
    prefix = [] if os.geteuid() == 0 else ["sudo"]
    if prefix and not shutil.which("sudo"):
        progress("not root, and no sudo here; as root, run: apt-get install " + " ".join(missing))
        return 2
    progress("installing " + ", ".join(missing))
    for arguments in (["update"], ["install", "--yes", "--no-install-recommends", *missing]):
        if subprocess.run([*prefix, "apt-get", *arguments], stdout=2).returncode != 0:
            progress("apt-get " + arguments[0] + " failed")
            return 2
    return 0
