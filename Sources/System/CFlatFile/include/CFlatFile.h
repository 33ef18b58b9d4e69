#ifndef AISLE_C_FLAT_FILE_H
#define AISLE_C_FLAT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The CRC-32C (Castagnoli) of bytes that follow those whose checksum is `sum`; 0 where none do. It takes about 0.1 ns a byte where the
/// processor has an instruction for it, else 0.7.
uint32_t aisle_crc32c(uint32_t sum, const void *bytes, size_t count);

/// The number of the first page whose CRC-32C is not the one that is given, or of pages where all are right. The last page may be short.
/// It takes about 0.05 ns a byte where the processor has an instruction for it.
size_t aisle_first_damaged_page(const void *bytes, size_t count, size_t page_size, const uint32_t *sums);

/// From now on a fault while reading a guarded area (its file was cut, or the disk failed) gives zeros and marks the area instead of
/// ending the process. Other faults end it as before. Returns whether that could be arranged; calling it again does nothing.
bool aisle_guard_install(void);

bool aisle_guard_is_installed(void);

/// Guards an area of memory that is mapped from a file, from the beginning of a page. Returns the area's number, or -1 where there is
/// room for none.
int aisle_guard_add(const void *start, size_t count);

/// Whether reading an area failed since it is guarded.
bool aisle_guard_is_broken(int area);

/// Guards an area no longer.
void aisle_guard_remove(int area);

/// New memory of so many bytes, a power of two, from a multiple of them on, which the system may make one large page of; null where there
/// is none. It is given back by `munmap`.
void *aisle_map_large_page(size_t size);

/// Puts memory that was mapped in the place of other memory, at once for all who read there. Returns whether that could be done.
bool aisle_move_pages(void *from, size_t size, void *to);

#endif
