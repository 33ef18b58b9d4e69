/// A number with what it counts: `1 item`, `3 items`.
package func counted(_ count: Int, _ noun: String = "item") -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
