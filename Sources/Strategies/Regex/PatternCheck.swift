public import AisleCore

/// Checks a taxonomy's patterns against their examples.
public enum PatternCheck {
  /// The findings: expressions that PCRE2 rejects, examples that should match and do not or the reverse, examples that another pattern
  /// decides differently, and examples that hit a limit.
  ///
  /// - Complexity: Each pattern is compiled, and each example is tried once: about 20 µs per pattern.
  public static func findings(in taxonomy: Taxonomy, limits: RegexLimits = RegexLimits()) -> [Finding] {
    var findings: [Finding] = []
    let all = CompiledPatterns(taxonomy.patterns, limits: limits)
    for pattern in taxonomy.patterns {
      let alone = CompiledPatterns([pattern], limits: limits)
      var troubles: [PatternTrouble] = []
      if alone.compiled(0, report: { trouble, _ in troubles.append(trouble) }) == nil {
        findings += troubles.map { $0.finding(pattern) }
        continue
      }
      for example in pattern.matches + pattern.rejects where example.item.utf8.count > limits.itemBytes {
        findings.append(
          Finding(
            example.location, "the example has more than \(limits.itemBytes) bytes, and patterns skip such items; shorten it"))
      }
      for example in pattern.matches {
        if found(example, alone, &troubles) == nil {
          findings.append(
            Finding(
              example.location,
              "`\(example.item)` is not matched by pattern `\(pattern.name)`; correct the expression or move the example to `rejects`"
            ))
        } else if let first = found(example, all, &troubles), taxonomy.patterns[first.pattern].section != pattern.section {
          let other = taxonomy.patterns[first.pattern]
          findings.append(
            Finding(
              example.location,
              "`\(example.item)` is decided by pattern `\(other.name)` (\(taxonomy[other.section].name)) at \(other.location) first; change the confidence of one of them"
            ))
        }
      }
      for example in pattern.rejects {
        guard let match = found(example, alone, &troubles) else { continue }
        let part = String(decoding: Array(example.item.utf8)[match.span], as: UTF8.self)
        findings.append(
          Finding(
            example.location,
            "`\(example.item)` is matched by pattern `\(pattern.name)`, at `\(part)`; correct the expression or move the example to `matches`"
          ))
      }
      if let first = troubles.first { findings.append(first.finding(pattern)) }
    }
    return findings
  }

  private static func found(
    _ example: Pattern.Example, _ patterns: CompiledPatterns, _ troubles: inout [PatternTrouble]
  ) -> PatternMatcher.Found? {
    let bytes = Array(example.item.utf8) + [UInt8](repeating: 0, count: Batch.padding)
    let log = TroubleLog()
    let matcher = PatternMatcher(patterns) { trouble, _ in log.troubles.append(trouble) }
    let found = bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { matcher.match($0, count: buffer.count - Batch.padding) }
    }
    if patterns.count == 1 { troubles += log.troubles }
    return found
  }

  private final class TroubleLog { var troubles: [PatternTrouble] = [] }
}
