#define _GNU_SOURCE
#include "gate.h"

#include <pthread.h>

#ifdef PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
// A fork goes first, or many threads that ask all the time would keep it waiting.
#define UNLOCKED PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
#else
#define UNLOCKED PTHREAD_RWLOCK_INITIALIZER
#endif

static pthread_rwlock_t gate = UNLOCKED;

void aisle_gate_enter(void) { pthread_rwlock_rdlock(&gate); }

void aisle_gate_leave(void) { pthread_rwlock_unlock(&gate); }

static void before_fork(void) { pthread_rwlock_wrlock(&gate); }

static void after_fork_in_parent(void) { pthread_rwlock_unlock(&gate); }

// The child has one thread, which is not in the gate. It makes a new lock, since the old one knows of waiting threads that are not there.
static void after_fork_in_child(void) {
  static const pthread_rwlock_t unlocked = UNLOCKED;
  gate = unlocked;
}

__attribute__((constructor)) static void watch_forks(void) {
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}
