"""What a binary needs of the system that it runs on."""
import re
import subprocess


def _objdump(option, path):
    return subprocess.run(["objdump", option, path], check=True, stdout=subprocess.PIPE, text=True).stdout


def libraries(path):
    """The shared libraries that it loads as it starts."""
    return re.findall(r"NEEDED +(\S+)", _objdump("-p", path))


def glibc(path):
    """The oldest C library that it runs with, as (major, minor): the newest version of a symbol that it asks for."""
    asked = re.findall(r"\(?GLIBC_(\d+)\.(\d+)", _objdump("-T", path))
    return max(((int(major), int(minor)) for major, minor in asked), default=(2, 0))


def newest_symbols(path):
    """The symbols that ask for that version."""
    major, minor = glibc(path)
    return sorted(set(re.findall(rf"GLIBC_{major}\.{minor}\)?\s+(\S+)", _objdump("-T", path))))
