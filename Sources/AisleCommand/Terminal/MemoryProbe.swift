#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Asks for address space, and gives it back.
enum MemoryProbe {
  /// The address space in bytes that any command may need, on one thread, with stores of the usual size.
  private static let least = 32 << 20

  /// Refuses to begin what a limit would end by a signal.
  ///
  /// - Throws: `CommandFailure` naming the limit to raise.
  static func check() throws {
    if hasRoom(for: least) { return }
    throw CommandFailure(description: "the limit on memory is too low; allow \(least >> 20) MiB more (ulimit -v)")
  }

  /// Whether a limit on address space leaves room for as many bytes.
  static func hasRoom(for count: Int) -> Bool {
    let mapped = mmap(nil, count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let mapped, mapped != MAP_FAILED else { return false }
    munmap(mapped, count)
    return true
  }
}
