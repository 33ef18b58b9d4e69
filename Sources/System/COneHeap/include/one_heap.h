#ifndef AISLE_C_ONE_HEAP_H
#define AISLE_C_ONE_HEAP_H

/// Has all threads share one heap; to be called before the first of them is made. Where the C library has no such choice, it does nothing.
void aisle_use_one_heap(void);

#endif
