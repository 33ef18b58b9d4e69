#define _GNU_SOURCE
#include "CFlatFile.h"

#include <sys/mman.h>

#ifdef __linux__

void *aisle_map_large_page(size_t size) {
  char *start = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return NULL;
  size_t before = -(uintptr_t)start & (size - 1);
  if (before > 0) munmap(start, before);
  munmap(start + before + size, size - before);
  madvise(start + before, size, MADV_HUGEPAGE);
  return start + before;
}

bool aisle_move_pages(void *from, size_t size, void *to) {
  return mremap(from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED;
}

#else

void *aisle_map_large_page(size_t size) {
  (void)size;
  return NULL;
}

bool aisle_move_pages(void *from, size_t size, void *to) {
  (void)from, (void)size, (void)to;
  return false;
}

#endif
