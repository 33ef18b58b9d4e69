// Records what a process does to the files of one folder, and what it says, in the order in which it happens.
//
// LD_PRELOAD=record-writes.so RECORD_FOLDER=/absolute/folder RECORD_TO=/somewhere/else/log
//
// A record: a letter, the length of a path, the path, a number, the length of data, the data; numbers have eight bytes of this machine.
//   c a file was created        m a folder was made         u a name was removed      r it was renamed, to the data
//   w the data was written at the number      t the length became the number      s it was synchronized
//   a the data was written to standard output or standard error
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int isMeant(const char *path) {
  const char *folder = getenv("RECORD_FOLDER");
  return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static void record(char kind, const char *path, uint64_t number, const void *data, uint64_t length) {
  static int log = -1;
  if (log < 0) log = (int)syscall(SYS_openat, AT_FDCWD, getenv("RECORD_TO"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  uint64_t pathLength = strlen(path);
  size_t size = 1 + 3 * 8 + pathLength + length;
  char *bytes = malloc(size), *end = bytes;
  *end++ = kind;
  memcpy(end, &pathLength, 8), end += 8;
  memcpy(end, path, pathLength), end += pathLength;
  memcpy(end, &number, 8), end += 8;
  memcpy(end, &length, 8), end += 8;
  if (length) memcpy(end, data, length);
  if (syscall(SYS_write, log, bytes, size) != (long)size) abort();
  free(bytes);
}

// The path of an open file of the folder; empty for any other.
static const char *pathOf(int file, char path[PATH_MAX]) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
  if (!isMeant(path)) path[0] = 0;
  return path;
}

// Whether an open file is what standard output or standard error is, by whatever number.
static int isStandard(int file) {
  struct stat one, other;
  if (fstat(file, &one) != 0) return 0;
  for (int number = 1; number <= 2; number++)
    if (fstat(number, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino) return 1;
  return 0;
}

// The absolute form of a path, which need not be there.
static const char *absolute(const char *path, char full[PATH_MAX]) {
  if (path[0] == '/') return path;
  if (!getcwd(full, PATH_MAX)) return "";
  strncat(full, "/", PATH_MAX - strlen(full) - 1);
  strncat(full, path, PATH_MAX - strlen(full) - 1);
  return full;
}


static int opened(int folder, const char *path, int flags, mode_t mode) {
  char full[PATH_MAX];
  const char *name = absolute(path, full);
  pthread_mutex_lock(&lock);
  int isNew = (flags & O_CREAT) && isMeant(name) && access(name, F_OK) != 0;
  int file = (int)syscall(SYS_openat, folder, path, flags, mode);
  if (file >= 0 && isNew) record('c', name, 0, 0, 0);
  if (file >= 0 && (flags & O_TRUNC) && isMeant(name)) record('t', name, 0, 0, 0);
  pthread_mutex_unlock(&lock);
  return file;
}

#define MODE(flags) \
  mode_t mode = 0; \
  if (flags & (O_CREAT | __O_TMPFILE)) { \
    va_list list; \
    va_start(list, flags); \
    mode = va_arg(list, mode_t); \
    va_end(list); \
  }

int open(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(flags) return opened(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE(flags) return opened(folder, path, flags | O_LARGEFILE, mode); }

static ssize_t written(int file, const void *data, size_t length, off_t offset, int isAtOffset) {
  char path[PATH_MAX];
  pthread_mutex_lock(&lock);
  off_t place = isAtOffset ? offset : lseek(file, 0, SEEK_CUR);
  ssize_t count = isAtOffset ? syscall(SYS_pwrite64, file, data, length, offset) : syscall(SYS_write, file, data, length);
  if (count > 0 && isStandard(file)) record('a', "", file, data, count);
  else if (count > 0 && pathOf(file, path)[0]) record('w', path, place, data, count);
  pthread_mutex_unlock(&lock);
  return count;
}

ssize_t write(int file, const void *data, size_t length) { return written(file, data, length, 0, 0); }
ssize_t pwrite(int file, const void *data, size_t length, off_t offset) { return written(file, data, length, offset, 1); }
ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) { return written(file, data, length, offset, 1); }

static int done(char kind, int file, uint64_t number, long code) {
  char path[PATH_MAX];
  if (code == 0 && pathOf(file, path)[0]) record(kind, path, number, 0, 0);
  pthread_mutex_unlock(&lock);
  return (int)code;
}

int ftruncate(int file, off_t length) {
  pthread_mutex_lock(&lock);
  return done('t', file, length, syscall(SYS_ftruncate, file, length));
}
int ftruncate64(int file, off64_t length) { return ftruncate(file, length); }
int fsync(int file) {
  pthread_mutex_lock(&lock);
  return done('s', file, 0, syscall(SYS_fsync, file));
}
int fdatasync(int file) { return fsync(file); }

static int named(char kind, const char *path, const char *other, int (*change)(const char *, const char *, mode_t), mode_t mode) {
  char full[PATH_MAX], otherFull[PATH_MAX];
  const char *name = absolute(path, full), *to = other ? absolute(other, otherFull) : "";
  pthread_mutex_lock(&lock);
  int code = change(path, other, mode);
  if (code == 0 && isMeant(name)) record(kind, name, 0, to, strlen(to));
  pthread_mutex_unlock(&lock);
  return code;
}

static int doUnlink(const char *path, const char *other, mode_t mode) { return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0); }
static int doRename(const char *path, const char *other, mode_t mode) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, 0);
}
static int doMkdir(const char *path, const char *other, mode_t mode) { return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode); }

int unlink(const char *path) { return named('u', path, 0, doUnlink, 0); }
int rename(const char *path, const char *other) { return named('r', path, other, doRename, 0); }
int mkdir(const char *path, mode_t mode) { return named('m', path, 0, doMkdir, mode); }
