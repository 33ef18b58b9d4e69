#include "CFlatFile.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

/// An area that is guarded where its beginning is not 0, and taken where its state is not 0.
struct area {
  atomic_uintptr_t start;
  atomic_size_t count;
  atomic_bool is_taken;
  atomic_bool is_broken;
};

enum { area_count = 64 };
static struct area areas[area_count];
static struct sigaction previous;
static uintptr_t page_size;
static atomic_bool is_installed;

/// Puts zeros from the page that could not be read to the end of its area. Everything that this calls may be called in a handler.
static void on_fault(int number, siginfo_t *info, void *context) {
  (void)context;
  int code = errno;
  uintptr_t address = (uintptr_t)info->si_addr;
  for (int place = 0; info->si_code > 0 && place < area_count; place++) {
    uintptr_t start = atomic_load(&areas[place].start);
    size_t count = atomic_load(&areas[place].count);
    if (start == 0 || address - start >= count) continue;
    uintptr_t page = address & ~(page_size - 1);
    atomic_store(&areas[place].is_broken, true);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (mmap((void *)page, start + count - page, PROT_READ, flags, -1, 0) == MAP_FAILED) break;
    errno = code;
    return;
  }
  // Not ours: what happened before happens again, the way it would have without us.
  sigaction(number, &previous, NULL);
  if (info->si_code <= 0) raise(number);
  errno = code;
}

static void install(void) {
  long size = sysconf(_SC_PAGESIZE);
  if (size <= 0) return;
  page_size = (uintptr_t)size;
  struct sigaction action = {0};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGBUS, &action, &previous) == 0) atomic_store(&is_installed, true);
}

bool aisle_guard_install(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  return aisle_guard_is_installed();
}

bool aisle_guard_is_installed(void) { return atomic_load(&is_installed); }

int aisle_guard_add(const void *start, size_t count) {
  for (int place = 0; place < area_count; place++) {
    bool is_taken = false;
    if (!atomic_compare_exchange_strong(&areas[place].is_taken, &is_taken, true)) continue;
    atomic_store(&areas[place].is_broken, false);
    atomic_store(&areas[place].count, count);
    atomic_store(&areas[place].start, (uintptr_t)start);
    return place;
  }
  return -1;
}

bool aisle_guard_is_broken(int area) { return area >= 0 && area < area_count && atomic_load(&areas[area].is_broken); }

void aisle_guard_remove(int area) {
  if (area < 0 || area >= area_count) return;
  atomic_store(&areas[area].start, 0);
  atomic_store(&areas[area].count, 0);
  atomic_store(&areas[area].is_taken, false);
}
