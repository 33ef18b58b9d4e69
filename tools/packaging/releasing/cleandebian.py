"""A Debian without anything but what every Debian has, in a folder, to install into."""
import os
import pathlib
import shutil
import subprocess

# The C library of each release, oldest first.
SUITES = {"bullseye": (2, 31), "bookworm": (2, 36), "trixie": (2, 41)}
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Unusable(Exception):
    """A clean Debian cannot be had here."""


def oldest_suite(glibc):
    """The oldest Debian whose C library is at least that one."""
    for suite, version in SUITES.items():
        if version >= glibc:
            return suite
    raise Unusable(f"no Debian in tools/packaging/releasing/cleandebian.py has glibc {glibc[0]}.{glibc[1]}")


def source():
    """The address from which this machine takes its Debian packages."""
    release = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
    told = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)|$(CODENAME)|$(COMPONENT)", "Created-By: Packages"],
                          stdout=subprocess.PIPE, text=True)
    codename = release.get("VERSION_CODENAME", "").strip('"')
    for line in told.stdout.splitlines():
        address, name, component = line.split("|")
        if name == codename and component == "main":
            return address.rstrip("/")
    raise Unusable("apt has no source of this machine's Debian release; run `apt-get update`, or see /etc/apt")


class CleanDebian:
    """A copy of a fresh Debian, removed when it is done with. The fresh one is kept in `folder`."""

    def __init__(self, folder, suite):
        self.as_root = [] if os.geteuid() == 0 else ["sudo"]
        self.base, self.root = folder / suite, folder / "root"
        for tool in [*self.as_root, "debootstrap", "chroot", "unshare"]:
            if not shutil.which(tool, path=f"{os.environ['PATH']}:/usr/sbin:/sbin"):
                raise Unusable(f"{tool} is missing; run tools/setup --tests")
        if not (folder / f"{suite}.done").exists():
            self._sudo("rm", "-rf", self.base)
            folder.mkdir(parents=True, exist_ok=True)
            made = self._sudo("debootstrap", "--variant=minbase", suite, self.base, source(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if made.returncode != 0:
                raise Unusable(f"debootstrap cannot make a Debian {suite}:\n{made.stdout[-1000:]}")
            (folder / f"{suite}.done").touch()

    def _sudo(self, *command, **options):
        return subprocess.run([*self.as_root, *map(str, command)], **options)

    def __enter__(self):
        self._sudo("rm", "-rf", "--one-file-system", self.root, check=True)
        self._sudo("cp", "-a", self.base, self.root, check=True)
        told = self.run("true")
        if told.returncode != 0:
            raise Unusable(f"chroot does not work here: {told.stderr.strip()}")
        self.check("apt-get update -qq")
        return self

    def __exit__(self, *_):
        self._sudo("rm", "-rf", "--one-file-system", self.root)

    def copy(self, path, place):
        self._sudo("install", "-D", "-m", "644", path, f"{self.root}/{place}", check=True)

    def run(self, script, **options):
        """Runs lines of a shell in it, with its own /proc and processes, which all end with it."""
        environment = [f"PATH={PATH}", "HOME=/tmp/home", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", "DEBCONF_NOWARNINGS=yes"]
        environment += [f"{name}={value}" for name, value in os.environ.items() if name.lower().endswith("_proxy")]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "stdin": subprocess.DEVNULL} | options
        return self._sudo("unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={self.root}/proc", "chroot", self.root,
                          "/usr/bin/env", "-i", *environment, "/bin/bash", "-euo", "pipefail", "-c", script, **options)

    def check(self, script):
        """The output of lines of a shell, which must succeed."""
        told = self.run(script)
        if told.returncode != 0:
            raise AssertionError(f"exit code {told.returncode} of: {script}\n{told.stdout[-2000:]}{told.stderr[-2000:]}")
        return told.stdout

    def paths(self):
        """Every file and folder, with its kind and size, but for what apt and dpkg note for themselves."""
        listed = self._sudo("find", self.root, "-xdev", "(", *"-path */var/lib/dpkg/* -o -path */var/lib/apt/* -o -path */var/cache/* -o -path".split(),
                            "*/var/log/*", "-o", "-path", "*/tmp/*", "-o", "-path", "*/etc/ld.so.cache", ")", "-prune", "-o", "-printf", "%y %P\\n",
                            stdout=subprocess.PIPE, text=True, check=True)
        return set(listed.stdout.splitlines())
