#include "one_heap.h"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

// glibc gives threads heaps of their own, and what one thread frees is of no use to another. In a server that is taught on several threads,
// resident memory grew by 5 MB with each thousand corrections; with one heap it stays.
void aisle_use_one_heap(void) {
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, 1);
#endif
}
