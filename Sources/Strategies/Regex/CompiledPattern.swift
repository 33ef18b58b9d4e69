internal import CPCRE2

/// An expression compiled by PCRE2; matching it writes to a `MatchWorkspace` alone, so several threads may.
final class CompiledPattern: @unchecked Sendable {
  // Unchecked, since PCRE2's compiled code is never written to after `init`.
  private let code: OpaquePointer
  /// Whether it was compiled to machine code.
  let isJustInTime: Bool

  /// What is wrong with an expression, and at which of its bytes.
  struct Fault: Error {
    let message: String
    let offset: Int
  }

  /// Compiles an expression: caseless, UTF, without `\C`.
  ///
  /// - Complexity: about 5 µs, and 10–50 µs with JIT; the process's first JIT costs another 0.2 ms.
  init(_ expression: String, maximumBytes: Int, isJustInTime: Bool) throws(Fault) {
    if expression.hasPrefix("(*") {
      throw Fault(message: "an expression must not begin with `(*`, which sets options", offset: 0)
    }
    let context = pcre2_compile_context_create_8(nil)
    defer { pcre2_compile_context_free_8(context) }
    pcre2_set_max_pattern_length_8(context, maximumBytes)
    let options = PCRE2_CASELESS | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C
    var (error, offset): (Int32, Int) = (0, 0)
    var bytes = expression
    let compiled = bytes.withUTF8 { pcre2_compile_8($0.baseAddress, $0.count, options, &error, &offset, context) }
    guard let compiled else { throw Fault(message: Self.message(error), offset: min(offset, expression.utf8.count)) }
    code = compiled
    self.isJustInTime = isJustInTime && pcre2_jit_compile_8(compiled, PCRE2_JIT_COMPLETE) == 0
  }

  deinit { pcre2_code_free_8(code) }

  /// What matching an item came to.
  enum Outcome: Equatable {
    case match(Range<Int>)
    case noMatch
    /// A limit was hit: what PCRE2 says of it.
    case limit(String)
  }

  /// Matches an item's bytes, valid UTF-8 or not. A match is never empty.
  func match(_ item: UnsafePointer<UInt8>, count: Int, in workspace: MatchWorkspace) -> Outcome {
    let result = pcre2_match_8(
      code, item, count, 0, PCRE2_NOTEMPTY, workspace.data, workspace.context)
    if result == PCRE2_ERROR_NOMATCH { return .noMatch }
    guard result >= 0, let bounds = pcre2_get_ovector_pointer_8(workspace.data) else { return .limit(Self.message(result)) }
    // `\K` in a lookaround can put the end before the start.
    return bounds[0] <= bounds[1] && bounds[1] <= count ? .match(bounds[0]..<bounds[1]) : .noMatch
  }

  private static func message(_ code: Int32) -> String {
    let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      let count = pcre2_get_error_message_8(code, buffer.baseAddress, buffer.count)
      return String(decoding: buffer.prefix(max(0, Int(count))), as: UTF8.self)
    }
    return text.isEmpty ? "error \(code)" : text
  }
}

/// What one thread needs to match: PCRE2's memory and its limits.
final class MatchWorkspace {
  let data: OpaquePointer?
  let context: OpaquePointer?

  init(_ limits: RegexLimits) {
    data = pcre2_match_data_create_8(1, nil)
    context = pcre2_match_context_create_8(nil)
    pcre2_set_match_limit_8(context, limits.matchLimit)
    pcre2_set_heap_limit_8(context, limits.heapKibibytes)
  }

  deinit {
    pcre2_match_data_free_8(data)
    pcre2_match_context_free_8(context)
  }
}
