#ifndef AISLE_C_BYTES_H
#define AISLE_C_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// What kinds of bytes a text has, found out for 16 at a time. Swift has no way to say which lanes of a vector are what.

typedef uint8_t aisle_bytes __attribute__((ext_vector_type(16)));
typedef char aisle_truths __attribute__((ext_vector_type(16)));

/// What up to 64 bytes are, a bit each: the lowest is the first byte's.
typedef struct {
  /// ASCII letters and digits.
  uint64_t letters;
  /// Spaces.
  uint64_t blanks;
  /// Bytes beyond ASCII.
  uint64_t beyond;
} aisle_kinds;

/// A bit for each byte of which something is true: the lowest is the first byte's.
__attribute__((always_inline)) static inline uint64_t aisle_bits(aisle_truths truths) {
  typedef bool bits __attribute__((ext_vector_type(16)));
  const bits each = __builtin_convertvector(truths, bits);
  uint16_t all;
  memcpy(&all, &each, sizeof all);
  return all;
}

__attribute__((always_inline)) static inline aisle_bytes aisle_load(const uint8_t *text) {
  aisle_bytes bytes;
  memcpy(&bytes, text, sizeof bytes);
  return bytes;
}

/// Sorts bytes by kind.
///
/// - Parameters:
///   - text: 64 bytes that can be read.
///   - count: How many of them are meant; the bits of the others say nothing.
__attribute__((always_inline)) static inline aisle_kinds aisle_sort(const uint8_t *text, intptr_t count) {
  aisle_kinds kinds = {0, 0, 0};
  for (intptr_t place = 0; place < count; place += 16) {
    const aisle_bytes bytes = aisle_load(text + place);
    kinds.letters |= aisle_bits((aisle_bytes)((bytes | 0x20) - 'a') < 26 | (aisle_bytes)(bytes - '0') < 10) << place;
    kinds.blanks |= aisle_bits(bytes == ' ') << place;
    kinds.beyond |= aisle_bits(bytes >= 0x80) << place;
  }
  return kinds;
}

/// Copies bytes, capital letters as small ones, up to the first that may have to be folded: one beyond ASCII, or one of ' & ` . and -
///
/// - Parameters:
///   - text: 16 bytes that can be read.
///   - copy: 16 bytes that can be written; all are, also those that do not count.
/// - Returns: how many count, up to 16.
__attribute__((always_inline)) static inline intptr_t aisle_copy_plain(const uint8_t *text, uint8_t *copy) {
  const aisle_bytes bytes = aisle_load(text);
  const aisle_bytes small = bytes | ((aisle_bytes)((aisle_bytes)(bytes - 'A') < 26) & 0x20);
  memcpy(copy, &small, sizeof small);
  const aisle_truths special = bytes >= 0x80 | bytes == '\'' | bytes == '&' | bytes == '`' | bytes == '.' | bytes == '-';
  return __builtin_ctzll(aisle_bits(special) | 0x10000);
}

#endif
