/// A number with what it counts: `1 item`, `3 items`.
package func counted(_ count: Int, _ noun: String = "item") -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// A number with what it counts, and words for none: `no errors`, `1 error`, `3 errors`.
package func countedOrNone(_ count: Int, _ noun: String) -> String { count == 0 ? "no \(noun)s" : counted(count, noun) }
