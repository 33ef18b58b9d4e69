"""The cases, in the order in which they run."""

from cases import operations, bad_input, connections, tokens, issuers, encrypted, page, drop_ins, models, syncing, fuzzing  # noqa: F401
