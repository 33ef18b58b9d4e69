// The functions of `aisle.h` are in AisleC, which is linked in whole.
@_exported import AisleC
