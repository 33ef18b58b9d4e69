"""A store, and what it says."""
from __future__ import annotations

import ctypes
import html
import json
import os
import struct
from collections.abc import Iterator
from types import TracebackType
from typing import Any, NamedTuple, TypeVar, overload

from aisle import _columns, _frames, _library, _packing
from aisle._columns import Answers, Column
from aisle._errors import AisleError

_Items = TypeVar("_Items")
_ANSWER = struct.Struct("=hhif")
_Room = ctypes.c_char * _ANSWER.size
_Size = ctypes.c_size_t
_made = tuple.__new__


class Answer(NamedTuple):
    """Where an item belongs.

    >>> answer = aisle.Store()["oat milk"]
    >>> answer.section, answer.shelf, answer.strategy
    ('Dairy & Eggs', 'plant-milk', 'keyword')
    >>> 0.9 < answer.confidence <= 1
    True
    """

    item: str
    """The item as it was given."""
    section: str
    """The section's name, as people read it; the fallback's where nothing decided."""
    confidence: float
    """How likely the section is right, in 0…1; 0 where nothing decided."""
    shelf: str | None
    """The shelf that the item stands on, e.g. `plant-milk`; None where only the section is known."""
    strategy: str | None
    """What decided: `learned`, `keyword`, `model`, or `regex`; None where nothing did."""


class Section(NamedTuple):
    """A section of a store."""

    id: str
    """The id, to keep in a database: it stays the same when sections are added or change places."""
    name: str
    """The name as people read it."""
    color: str
    """The name of its hue."""


def stores() -> list[str]:
    """The ids of the built-in stores.

    >>> "walmart" in aisle.stores()
    True
    """
    library = _library.load()
    return [_library.text(library.aisle_store_id(place)) for place in range(library.aisle_store_count())]


class _Handle:
    """An open store of the library's, closed when nobody uses it any more."""

    def __init__(self, options: _library.Options) -> None:
        self.pointer: int | None = None
        self.library = _library.load()
        pointer, error = ctypes.c_void_p(), _library.Error()
        if self.library.aisle_open(ctypes.byref(options), ctypes.byref(pointer), ctypes.byref(error)) != 0:
            raise _library.raised(error)
        self.pointer = pointer.value
        self.argument = pointer

    def __del__(self) -> None:
        if self.pointer is not None:
            self.library.aisle_close(self.pointer)


class Store:
    """A store, ready to be asked, from any thread.

    >>> store = aisle.Store("kroger")
    >>> store["2 lbs chicken thighs"].section
    'Meat & Seafood'

    - `store`: the id of a built-in store; see `aisle.stores`. Kroger where it is left out.
    - `file`: for a store of your own: a file that `aisle stores pack` wrote, or a folder of stores.
    - `corrections`: a file of corrections, as `aisle --db` uses it. It is read once, now. A missing file means no corrections.
    - `language`: the languages of the items, with commas between them, e.g. "de"; English is tried last. Where it is left out, what
      the store's file says, and English for a built-in store.

    A folder, and a built-in store in another language, are packed first, by the command `aisle`, which must be in PATH, in about a second.

    Raises UnknownStore, BadFile, LibraryError, or AisleError; each says what to do.
    """

    def __init__(self, store: str | None = None, *, file: str | os.PathLike[str] | None = None,
                 corrections: str | os.PathLike[str] | None = None, language: str | None = None) -> None:
        self._handle: _Handle | None = None
        self._arguments = (store, None if file is None else os.fspath(file), None if corrections is None else os.fspath(corrections),
                           language)
        for text in self._arguments:
            _argument(text)
        with _packing.packed(store, self._arguments[1], language) as packed:
            options = (store, packed, self._arguments[2], language)
            self._handle = _Handle(_library.Options(ctypes.sizeof(_library.Options), *map(_argument, options)))
        library, pointer = self._handle.library, self._handle.pointer
        sections = range(library.aisle_section_count(pointer))
        self._section_names = [_library.text(library.aisle_section_name(pointer, place)) for place in sections]
        self._sections = [
            Section(_library.text(library.aisle_section_id(pointer, place)), self._section_names[place],
                    _library.text(library.aisle_section_color(pointer, place))) for place in sections
        ]
        shelves = range(library.aisle_shelf_count(pointer))
        self._shelf_names = [_library.text(library.aisle_shelf_name(pointer, place)) for place in shelves]
        self._shelf_sections = [int(library.aisle_shelf_section(pointer, place)) for place in shelves]
        strategies = range(library.aisle_strategy_count(pointer))
        self._strategy_names = [_library.text(library.aisle_strategy_id(pointer, place)) for place in strategies]
        self._shelf_of: list[str | None] = [*self._shelf_names, None]
        self._strategy_of: list[str | None] = [*self._strategy_names, None]
        self.id = _library.text(library.aisle_id(pointer))
        """The store's id, e.g. `kroger`."""
        self.name = _library.text(library.aisle_name(pointer))
        """The store's name as people write it, e.g. `Kroger`."""
        self.fallback = self._section_names[library.aisle_fallback(pointer)]
        """The name of the section of items that nothing is known about."""
        self._one = _library.categorize_one()

    @property
    def sections(self) -> list[Section]:
        """The sections, in walking order.

        >>> [section.id for section in aisle.Store().sections][:3]
        ['produce', 'bakery', 'meat-seafood']
        """
        return list(self._sections)

    @property
    def shelves(self) -> dict[str, str]:
        """The shelves, each with the name of its section.

        >>> aisle.Store().shelves["plant-milk"]
        'Dairy & Eggs'
        """
        return {name: self._section_names[place] for name, place in zip(self._shelf_names, self._shelf_sections)}

    @property
    def strategies(self) -> list[str]:
        """What decides, in the order in which it is asked."""
        return list(self._strategy_names)

    # One item

    def __getitem__(self, item: str) -> Answer:
        """Where one item belongs."""
        handle = self._handle
        if handle is None:
            raise _closed()
        try:
            data = item.encode()
        except (AttributeError, UnicodeEncodeError):
            data = _columns.encoded(item)
        answer = _Room()
        if self._one(handle.argument, data, _Size(len(data)), answer) != 0:
            raise AisleError("the library cannot answer; install aisle again")
        section, strategy, shelf, confidence = _ANSWER.unpack(answer)
        # As `Answer(…)` does, in half the time.
        return _made(Answer, (item, self._section_names[section], confidence, self._shelf_of[shelf], self._strategy_of[strategy]))

    def explain(self, item: str) -> dict[str, Any]:
        """Where an item belongs and why: the fields of the command's `--format jsonl --explain`, and some more.

        >>> why = aisle.Store().explain("2 lbs chicken thighs")
        >>> why["keyword"], why["rule"], why["match"]
        ('chicken thigh', 'only', 'chicken thighs')
        """
        handle = self._handle
        if handle is None:
            raise _closed()
        data = _columns.encoded(item)
        size, error = ctypes.c_size_t(4096), _library.Error()
        for _ in range(2):
            buffer = ctypes.create_string_buffer(size.value)
            code = handle.library.aisle_explain(handle.pointer, data, len(data), buffer, len(buffer), ctypes.byref(size),
                                                ctypes.byref(error))
            if code == 0:
                found: dict[str, Any] = json.loads(buffer.value)
                return found
            if code != _library.TOO_SMALL:
                break
        raise _library.raised(error)

    # Many items

    @overload
    def categorize(self, items: list[str]) -> list[str]: ...
    @overload
    def categorize(self, items: list[str | None]) -> list[str | None]: ...
    @overload
    def categorize(self, items: _Items, *, details: bool = False) -> Any: ...

    def categorize(self, items: Any, *, details: bool = False) -> Any:
        """Where items belong: the names of sections, in the same type as the items.

        A list, a tuple, or another iterable; an array of NumPy; a Series of pandas or Polars; an Array or ChunkedArray of PyArrow. What is
        missing stays missing. With `details`, a list of `Answer`, or a table with columns section, confidence, shelf, and strategy.

        >>> aisle.Store("walmart").categorize(("oat milk", None))
        ('Dairy & Eggs', None)
        >>> [answer.shelf for answer in aisle.Store().categorize(["kale"], details=True)]
        ['leafy-greens']
        """
        return _frames.categorize(self, items, details)

    def _ask(self, column: Column, details: bool) -> Answers:
        handle = self._handle
        if handle is None:
            raise _closed()
        answers = Answers(column.count, details)
        items, columns, error = column.struct(), answers.struct(), _library.Error()
        if handle.library.aisle_categorize(handle.pointer, ctypes.byref(items), ctypes.byref(columns), ctypes.byref(error)) != 0:
            raise _library.raised(error)
        return answers

    # The store itself

    def close(self) -> None:
        """Closes the store: later calls raise ValueError; calls that are running on other threads still finish.

        Calling it is optional: a store that nothing refers to is closed.
        """
        self._handle = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        raise TypeError("a store is not a sequence; for its sections, ask `store.sections`")

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopened, self._arguments

    def __repr__(self) -> str:
        return f"<aisle.Store {self.id!r}: {len(self._sections)} sections, {len(self._shelf_names)} shelves>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{html.escape(section.name)}</td><td>{html.escape(', '.join(self._shelves_in(place)))}</td></tr>"
                       for place, section in enumerate(self._sections))
        return f"<table><caption>{html.escape(self.name)}</caption><tr><th>section</th><th>shelves</th></tr>{rows}</table>"

    def _shelves_in(self, section: int) -> list[str]:
        return [name for name, place in zip(self._shelf_names, self._shelf_sections) if place == section]


def _argument(text: str | None) -> bytes | None:
    if text is None:
        return None
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"{text!r} is of type {type(text).__name__}; give a str or a path")
    data = os.fsencode(text)
    if b"\0" in data:
        raise ValueError("a name has a NUL; remove it")
    return data


def _reopened(store: str | None, file: str | None, corrections: str | None, language: str | None) -> Store:
    return Store(store, file=file, corrections=corrections, language=language)


def _closed() -> ValueError:
    return ValueError("the store is closed; open another one with `aisle.Store`")
