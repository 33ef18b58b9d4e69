#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What tells, at the cost of one system call and without opening it, whether a file may have changed.
struct FileMark: Sendable, Equatable {
  private var words: [Int64] = []
  /// When the file was last written, in nanoseconds since 1970; `nil` where there is none.
  private var written: Int64?

  /// File systems tell the time of a change by a clock that ticks every 10 ms or more often.
  static let tick: Int64 = 20_000_000

  /// Looks at the file of a path, behind symbolic links; whatever cannot be looked at counts as a file that is not there.
  init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    #if canImport(Darwin)
      let (changed, touched) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (changed, touched) = (status.st_mtim, status.st_ctim)
    #endif
    let times = [changed, touched].map { Int64($0.tv_sec) &* 1_000_000_000 &+ Int64($0.tv_nsec) }
    words = times + [Int64(truncatingIfNeeded: status.st_ino), Int64(truncatingIfNeeded: status.st_size)]
    written = times[0]
  }

  /// Whether the file was written so lately that it may be written again without another mark. Files may say any time, also one to come.
  var isFresh: Bool { written.map { (-Self.tick..<Self.tick).contains(Self.clock(CLOCK_REALTIME) &- $0) } ?? false }

  /// The time of a clock, in nanoseconds.
  static func clock(_ id: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(id, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
