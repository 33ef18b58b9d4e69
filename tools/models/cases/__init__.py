"""The cases, in the order in which they run."""
from cases import asking, looping, losing, meaning, photos, reaching, spending  # noqa: F401
