"""The shared library, loaded when it is first needed: its functions and structs, as `aisle.h` declares them."""
from __future__ import annotations

import ctypes
import functools
import os
import pathlib
from collections.abc import Callable
from ctypes import POINTER, Structure, c_char, c_char_p, c_int32, c_int64, c_size_t, c_void_p
from typing import Any

from aisle._errors import AisleError, BadFile, LibraryError, UnknownStore

ABI_VERSION = 1

INVALID_ARGUMENT, UNKNOWN_STORE, BAD_FILE, UNSUPPORTED, BAD_ITEMS, TOO_SMALL = range(1, 7)

_REMEDY = "run `pip install --force-reinstall` with aisle's wheel, or in bindings/python of a checkout"


class Error(Structure):
    _fields_ = [("code", c_int32), ("message", c_char * 1020)]


class Options(Structure):
    _fields_ = [("size", c_size_t), ("store", c_char_p), ("file", c_char_p), ("corrections", c_char_p), ("language", c_char_p)]


class Items(Structure):
    _fields_ = [
        ("size", c_size_t), ("data", c_void_p), ("data_size", c_int64), ("offsets", c_void_p), ("large_offsets", c_void_p),
        ("validity", c_void_p), ("offset", c_int64), ("count", c_int64),
    ]


class Columns(Structure):
    _fields_ = [("size", c_size_t), ("section", c_void_p), ("confidence", c_void_p), ("shelf", c_void_p), ("strategy", c_void_p)]


_SIGNATURES: dict[str, tuple[type | None, list[type]]] = {
    "aisle_version": (c_char_p, []),
    "aisle_open": (c_int32, [POINTER(Options), POINTER(c_void_p), POINTER(Error)]),
    "aisle_close": (None, [c_void_p]),
    "aisle_store_count": (c_int32, []),
    "aisle_store_id": (c_char_p, [c_int32]),
    "aisle_id": (c_char_p, [c_void_p]),
    "aisle_name": (c_char_p, [c_void_p]),
    "aisle_section_count": (c_int32, [c_void_p]),
    "aisle_section_name": (c_char_p, [c_void_p, c_int32]),
    "aisle_section_id": (c_char_p, [c_void_p, c_int32]),
    "aisle_section_color": (c_char_p, [c_void_p, c_int32]),
    "aisle_fallback": (c_int32, [c_void_p]),
    "aisle_shelf_count": (c_int32, [c_void_p]),
    "aisle_shelf_name": (c_char_p, [c_void_p, c_int32]),
    "aisle_shelf_section": (c_int32, [c_void_p, c_int32]),
    "aisle_strategy_count": (c_int32, [c_void_p]),
    "aisle_strategy_id": (c_char_p, [c_void_p, c_int32]),
    "aisle_categorize_one": (c_int32, [c_void_p, c_char_p, c_size_t, c_void_p]),
    "aisle_categorize": (c_int32, [c_void_p, POINTER(Items), POINTER(Columns), POINTER(Error)]),
    "aisle_explain": (c_int32, [c_void_p, c_char_p, c_size_t, c_void_p, c_size_t, POINTER(c_size_t), POINTER(Error)]),
}


def path() -> pathlib.Path:
    """Where the library is: $AISLE_LIBRARY, beside this file, or in the checkout that this file is in."""
    named = os.environ.get("AISLE_LIBRARY")
    if named:
        return pathlib.Path(named)
    here = pathlib.Path(__file__).resolve().parent
    beside, built = here / "libaisle.so", here.parent.parent.parent / ".build/c/libaisle.so"
    return built if not beside.exists() and built.exists() else beside


@functools.cache
def load() -> ctypes.CDLL:
    """The library. Calls of its functions let other threads run."""
    place = path()
    if not place.exists():
        raise LibraryError(f"{place}: there is no library of aisle's; {_REMEDY}")
    try:
        library = ctypes.CDLL(str(place.resolve()))
    except OSError as problem:
        raise LibraryError(f"{place}: cannot be loaded ({problem}); {_REMEDY}") from None
    try:
        has = int(library.aisle_abi_version())
        if has != ABI_VERSION:
            raise LibraryError(f"{place}: has interface {has}, and this package needs {ABI_VERSION}; {_REMEDY}")
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except AttributeError as problem:
        raise LibraryError(f"{place}: is no library of aisle's ({problem}); {_REMEDY}") from None
    return library


@functools.cache
def categorize_one() -> Callable[..., Any]:
    """`aisle_categorize_one`, to be called in the least time: without giving the interpreter's lock away, which takes longer than most
    items, and without declared types, which are converted in a Python call each. So its arguments must be of the very types: `c_void_p`,
    `bytes`, `c_size_t`, and an array of `char`. It reads some kilobytes of an item at most."""
    library = load()
    return ctypes.PyDLL(None, handle=library._handle)["aisle_categorize_one"]


def version() -> str:
    return text(load().aisle_version())


def text(found: bytes | None) -> str:
    return "" if found is None else found.decode()


def raised(error: Error) -> Exception:
    """The exception for an error."""
    message = bytes(error.message).decode(errors="replace")
    if error.code in (INVALID_ARGUMENT, BAD_ITEMS):
        return ValueError(message)
    kinds: dict[int, type[AisleError]] = {UNKNOWN_STORE: UnknownStore, BAD_FILE: BadFile}
    return kinds.get(error.code, AisleError)(message)
