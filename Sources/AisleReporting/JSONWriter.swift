import AisleCore

/// Writes JSON (RFC 8259): members in the order they are given, figures rounded to six decimals, `null` for what is not defined.
struct JSONWriter {
  /// How an object or array is laid out: a line a member, or all in one line.
  enum Layout { case lines, inline }

  let output: ReportBuffer
  private var open: [(layout: Layout, isEmpty: Bool)] = []
  private var isAfterKey = false

  init(_ output: ReportBuffer) { self.output = output }

  // MARK: Values

  mutating func value(_ text: String?) {
    begin()
    if let text { JSONText.append(text.utf8, to: output) } else { output.append("null") }
  }

  mutating func value(_ count: Int?) {
    begin()
    if let count { output.append(decimal: count) } else { output.append("null") }
  }

  mutating func value(_ figure: Double?) {
    begin()
    output.append(figure: figure)
  }

  mutating func value(_ flag: Bool) {
    begin()
    output.append(flag ? "true" : "false")
  }

  private mutating func null() {
    begin()
    output.append("null")
  }

  /// Writes a value by appending its JSON to the output.
  mutating func raw(_ append: (ReportBuffer) -> Void) {
    begin()
    append(output)
  }

  // MARK: Objects and arrays

  mutating func object(_ layout: Layout = .inline, _ members: (inout JSONWriter) -> Void) {
    nested("{", "}", layout, members)
  }

  mutating func array(_ layout: Layout = .inline, _ elements: (inout JSONWriter) -> Void) {
    nested("[", "]", layout, elements)
  }

  /// Starts a member of an object; its value comes next.
  mutating func key(_ name: String) {
    begin()
    JSONText.append(name.utf8, to: output)
    output.append(open.last?.layout == .lines ? ": " : ":")
    isAfterKey = true
  }

  /// A member whose value is written by `write`; `null` where that writes nothing.
  mutating func member(_ name: String, _ write: (inout JSONWriter) -> Void) {
    key(name)
    write(&self)
    if isAfterKey { null() }
  }

  mutating func member(_ name: String, _ text: String?) { member(name) { $0.value(text) } }

  mutating func member(_ name: String, _ count: Int?) { member(name) { $0.value(count) } }

  mutating func member(_ name: String, _ figure: Double?) { member(name) { $0.value(figure) } }

  mutating func member(_ name: String, _ flag: Bool) { member(name) { $0.value(flag) } }

  mutating func member(_ name: String, _ texts: [String]) {
    member(name) { json in json.array { json in for text in texts { json.value(text) } } }
  }

  /// A member that is an array of objects, each in one line.
  mutating func objects<Row>(
    _ name: String, _ rows: some Sequence<Row>, layout: Layout = .lines, _ members: (inout JSONWriter, Row) -> Void
  ) {
    member(name) { json in
      json.array(layout) { json in for row in rows { json.object { json in members(&json, row) } } }
    }
  }

  // MARK: Layout

  private mutating func nested(_ start: String, _ end: String, _ layout: Layout, _ contents: (inout JSONWriter) -> Void) {
    begin()
    output.append(start)
    open.append((layout, true))
    contents(&self)
    let isEmpty = open.removeLast().isEmpty
    if layout == .lines, !isEmpty { newLine() }
    output.append(end)
  }

  /// Separates what comes next from what was before.
  private mutating func begin() {
    if isAfterKey {
      isAfterKey = false
      return
    }
    guard let last = open.last else { return }
    if !last.isEmpty { output.append(UInt8(ascii: ",")) }
    open[open.count - 1].isEmpty = false
    if last.layout == .lines { newLine() }
  }

  private func newLine() {
    output.append(UInt8(ascii: "\n"))
    for _ in open { output.append("  ") }
  }
}
