"""An old C library to link against, so that what is linked runs on old and new Linux alike.

The sources are compiled as ever, with this machine's headers; only the link is against Debian 11's libraries. Those of C++, SQLite, and
PCRE2 are this machine's, as archives.
"""
import pathlib
import platform
import shutil
import subprocess

from releasing.cleandebian import Unusable, source

SUITE = "bullseye"
GCC = "10"
LIBGCC = f"libgcc-{GCC}-dev"
PACKAGES = ["libc6", "libc6-dev", LIBGCC]
FOLDER = pathlib.Path(__file__).resolve().parents[3] / ".build/portable-libraries"
# libstdc++ of GCC 12 asks the C library whether there is but one thread, which glibc knows from 2.32 on. No, says this.
SINGLE_THREADED = "char __libc_single_threaded = 0;\n"


def version(package):
    """The version of one of the packages that were linked against; empty where there are none."""
    found = sorted((FOLDER / "apt/packages").glob(f"{package}_*.deb"))
    return found[-1].name.split("_")[1].replace("%3a", ":") if found else ""


def prepare(target=FOLDER):
    """Fills a folder with what `tools/build-flags --portable` links against, from this machine's source of Debian packages."""
    stamp = target / "done"
    if stamp.exists():
        return
    if platform.machine() != "x86_64":
        raise Unusable("binaries for old systems are linked on x86_64 only, so far")
    shutil.rmtree(target, ignore_errors=True)
    lists = target / "apt"
    for folder in ("state/lists/partial", "cache/archives/partial", "packages"):
        (lists / folder).mkdir(parents=True)
    keys = "/usr/share/keyrings/debian-archive-keyring.gpg"
    (lists / "sources.list").write_text(f"deb [signed-by={keys}] {source()} {SUITE} main\n")
    settings = {"Dir::Etc::sourcelist": lists / "sources.list", "Dir::Etc::sourceparts": "/dev/null", "Dir::State": lists / "state",
                "Dir::State::status": "/dev/null", "Dir::Cache": lists / "cache", "APT::Sandbox::User": "root"}
    apt = ["apt-get", "-qq", *(f"-o{key}={value}" for key, value in settings.items())]
    _run(*apt, "update")
    _run(*apt, "download", *PACKAGES, cwd=lists / "packages")
    root = target / "root"
    for package in sorted((lists / "packages").glob("*.deb")):
        _run("dpkg-deb", "--extract", package, root)

    libraries, development = root / "lib/x86_64-linux-gnu", root / "usr/lib/x86_64-linux-gnu"
    (target / "libc.so").write_text(f"GROUP ( {libraries}/libc.so.6 {development}/libc_nonshared.a AS_NEEDED ( {libraries}/ld-linux-x86-64.so.2 ) )\n")
    links = {f"lib{name}.so": libraries / f"lib{name}.so.{version}" for name, version in (("m", 6), ("pthread", 0), ("dl", 2), ("rt", 1))}
    links |= {name: development / name for name in ("crt1.o", "Scrt1.o", "crti.o", "crtn.o")}
    links |= {name: root / f"usr/lib/gcc/x86_64-linux-gnu/{GCC}" / name for name in ("libgcc.a", "libgcc_eh.a")}
    links |= {name: _archive(name) for name in ("libstdc++.a", "libsqlite3.a", "libpcre2-8.a")}
    for name, file in links.items():
        if not file.exists():
            raise Unusable(f"{file} is missing")
        (target / name).symlink_to(file)
    _run("cc", "-xc", "-c", "-o", target / "single-threaded.o", "-", input=SINGLE_THREADED)
    stamp.touch()


def _archive(name):
    """This machine's archive of that name, of the newest GCC."""
    found = [*pathlib.Path("/usr/lib/x86_64-linux-gnu").glob(name), *pathlib.Path("/usr/lib/gcc/x86_64-linux-gnu").glob(f"*/{name}")]
    if not found:
        raise Unusable(f"{name} is missing; run tools/setup")
    return max(found, key=lambda path: [int(part) for part in path.parts if part.isdigit()])


def _run(*command, **options):
    told = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if told.returncode != 0:
        raise Unusable(f"no libraries of Debian {SUITE}: {' '.join(map(str, command))[:100]} … failed:\n{told.stdout[-1000:]}")
