import Foundation

/// A library that, loaded before all others, makes the clock of a process show the seconds of `AISLE_TEST_TIME`.
enum FakeClock {
  /// Builds the library; `nil` where there is no C compiler.
  static func library(in folder: ScratchFolder) throws -> String? {
    try folder.write(source, to: "clock.c")
    let known = ["/usr/bin/cc", "/usr/bin/clang", "/usr/bin/gcc"]
    guard let compiler = known.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: compiler)
    process.arguments = ["-shared", "-fPIC", "-O1", "-o", "\(folder.path)/clock.so", "\(folder.path)/clock.c"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? "\(folder.path)/clock.so" : nil
  }

  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <stdlib.h>
    #include <sys/time.h>
    #include <time.h>

    static time_t shown(void) {
      const char *text = getenv("AISLE_TEST_TIME");
      return text ? strtoll(text, 0, 10) : 0;
    }

    time_t time(time_t *out) {
      time_t now = shown();
      if (out) *out = now;
      return now;
    }

    int gettimeofday(struct timeval *restrict out, void *restrict zone) {
      (void)zone;
      out->tv_sec = shown();
      out->tv_usec = 0;
      return 0;
    }

    int clock_gettime(clockid_t clock, struct timespec *out) {
      static int (*original)(clockid_t, struct timespec *);
      if (!original) original = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
      if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return original(clock, out);
      out->tv_sec = shown();
      out->tv_nsec = 0;
      return 0;
    }

    """
}
