"""What can go wrong: each message says what to do."""
from __future__ import annotations


class AisleError(Exception):
    """Something that aisle cannot do."""


class LibraryError(AisleError, ImportError):
    """The shared library is missing, is no library of aisle's, or is of another version."""


class UnknownStore(AisleError, LookupError):
    """There is no built-in store of that id."""


class BadFile(AisleError, OSError):
    """A packed store or a file of corrections cannot be read, is damaged, or was written by another version."""
