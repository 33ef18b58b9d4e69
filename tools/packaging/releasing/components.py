"""What is compiled into the binaries: packages, by Package.resolved, and libraries of the system and of the toolchain."""
import dataclasses
import json
import pathlib
import re
import subprocess
import urllib.parse

from releasing import elf, portable


class Missing(Exception):
    """What is needed to name a component is not there."""


@dataclasses.dataclass(frozen=True)
class Component:
    name: str
    version: str
    license: str  # an SPDX expression
    url: str
    purl: str
    binaries: tuple[str, ...]  # the names of the binaries that have it
    revision: str = ""  # the commit
    text: str = ""  # its license, as it has to be passed on
    notice: str = ""


# Libraries that come as archives: the file that says whether a binary loads them instead, what shows that one has them, and whose they are.
SYSTEM = [
    # name, shared library, bytes in the binary, development package, license, URL
    ("SQLite", "libsqlite3.so.0", b"SQLite format 3\0", "libsqlite3-dev", "blessing", "https://sqlite.org"),
    ("PCRE2", "libpcre2-8.so.0", rb"\ at end of pattern", "libpcre2-dev", "BSD-3-Clause", "https://www.pcre.org"),
    ("libstdc++", "libstdc++.so.6", b"St9exception", "libstdc++-{gcc}-dev", "GPL-3.0-or-later WITH GCC-exception-3.1", "https://gcc.gnu.org"),
    ("libgcc", "libgcc_s.so.1", b"_Unwind_", portable.LIBGCC, "GPL-3.0-or-later WITH GCC-exception-3.1", "https://gcc.gnu.org"),
]


def _license(text):
    if "Apache License" in text and "Version 2.0" in text:
        return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    raise Missing("a license that is neither Apache's nor MIT's; name it in tools/packaging/releasing/components.py")


def _text(folder, pattern):
    return "\n\n".join(path.read_text(errors="replace").strip("\n") for path in sorted(folder.glob(pattern)))


def _modules(checkout):
    """The names that a checkout's modules may have: of its folders, and of those of Sources."""
    return {path.name for place in (checkout, checkout / "Sources") if place.is_dir() for path in place.iterdir() if path.is_dir()}


def _seen(binaries, names):
    """The modules of which a binary has symbols, for each binary; it must not be stripped."""
    pattern = re.compile(rb"\$s\d+(" + b"|".join(sorted({f"(?<=\\$s{len(name)}){name}(?=[A-Z])".encode() for name in names})) + b")")
    return {path.name: {name.decode() for name in pattern.findall(path.read_bytes())} for path in binaries}


def packages(binaries, resolved, checkouts):
    found, pins = [], []
    for pin in sorted(json.loads(resolved.read_text())["pins"], key=lambda pin: pin["identity"]):
        url = pin["location"].removesuffix(".git")
        folder = checkouts / urllib.parse.urlparse(url).path.split("/")[-1]
        if not folder.is_dir():
            raise Missing(f"{folder} is not there; run `swift package resolve`")
        pins.append((pin, url, folder, _modules(folder)))
    seen = _seen(binaries, set().union(*(modules for *_, modules in pins)))
    for pin, url, folder, modules in pins:
        users = tuple(name for name in seen if seen[name] & modules)
        if not users:
            continue
        host, path = urllib.parse.urlparse(url).netloc, urllib.parse.urlparse(url).path
        version = pin["state"].get("version") or pin["state"]["revision"]
        text = _text(folder, "LICENSE*")
        found.append(Component(pathlib.Path(path).name, version, _license(text), url, f"pkg:swift/{host}{path}@{version}", users,
                               pin["state"]["revision"], text, _text(folder, "NOTICE*")))
    return found


def _installed(package):
    told = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return told.stdout.strip() if told.returncode == 0 else ""


def system(binaries, toolchain):
    """The libraries of the system that are linked in, and Swift's own.

    - toolchain: the folder `usr` of the Swift toolchain.
    """
    found = []
    contents = {path.name: (path.read_bytes(), elf.libraries(path)) for path in binaries}
    version = subprocess.run([toolchain / "bin/swiftc", "--version"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    version = re.search(r"Swift version ([0-9.]+)", version)[1]
    text = (toolchain / "share/swift/LICENSE.txt").read_text()
    found.append(Component("Swift runtime and standard library", version, _license(text), "https://www.swift.org",
                           f"pkg:generic/swift@{version}", tuple(contents), text=text))
    gcc = max((int(path.name) for path in pathlib.Path("/usr/lib/gcc").glob("*/*") if path.name.isdigit()), default=0)
    for name, library, sign, package, license, url in SYSTEM:
        users = tuple(binary for binary, (data, needed) in contents.items() if sign in data and library not in needed)
        if not users:
            continue
        package = package.format(gcc=gcc)
        # No build but the one for old systems links libgcc in, and that one takes the old one.
        version = portable.version(package) if package == portable.LIBGCC else _installed(package)
        if not version:
            raise Missing(f"the Debian package {package}, of which {name} was linked in, is not installed")
        rights = pathlib.Path(f"/usr/share/doc/{package}/copyright")
        found.append(Component(name, version, license, url, f"pkg:deb/debian/{package}@{urllib.parse.quote(version)}", users,
                               text=rights.read_text(errors="replace").strip() if license.startswith("BSD") and rights.exists() else ""))
    return found


def rights(own, found, has_apache):
    """The licenses of everything that is in a package, in Debian's machine-readable format.

    - has_apache: whether to append the Apache license, which every Debian has in a file of its own.
    """
    def field(text):
        return "\n".join(f" {line.rstrip()}" if line.strip() else " ." for line in text.strip().splitlines())
    own_text = own.split("\n\n", 2)[2]
    lines = ["Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/", "Upstream-Name: aisle",
             "Comment: The binaries have the following compiled in. What each of them asks to be passed on follows."]
    lines += [f" {component.name} {component.version}, {component.license}, {component.url}" for component in found]
    lines += ["", "Files: *", f"Copyright: {re.search(r'Copyright [(]c[)] (.+)', own)[1]}", "License: MIT", field(own_text)]
    for component in found:
        if component.text and not component.license.startswith("Apache"):
            lines += ["", f"Comment: {component.name}", field(component.text)]
        if component.notice:
            lines += ["", f"Comment: {component.name}, notice", field(component.notice)]
    apache = [component.text for component in found if component.license.startswith("Apache")]
    exception = next((text[text.index("## Runtime Library Exception"):] for text in apache if "## Runtime Library Exception" in text), None)
    if exception:
        lines += ["", "Comment: Swift-exception", field(exception)]
    lines += ["", "License: Apache-2.0"]
    if has_apache:
        lines.append(field(apache[0].split("## Runtime Library Exception")[0]))
    else:
        lines.append(" See /usr/share/common-licenses/Apache-2.0.")
    return "\n".join(lines) + "\n"
