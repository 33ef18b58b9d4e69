import AisleCore
import AisleItems
import AisleReporting

/// The shopping list: sections in walking order, then those the store does not know by name, the fallback last, each with its items.
///
/// The first line can only be shown when the last item is known, so all lines are kept: in memory, and beyond `mostKept` bytes in a file.
struct ShoppingList {
  /// The bytes of lines that are kept in memory.
  private static let mostKept = 2 << 20
  /// The width in characters that explanations are aligned to, at most.
  private static let mostAligned = 40
  /// What stands before an item's width, and then its explanation, in a line that is kept; no line that is shown has it.
  private static let mark: UInt8 = 0

  /// The lines of a section, ready but for the blanks before explanations.
  private struct Lines {
    var count = 0
    /// The widest item's, up to `mostAligned`.
    var width = 0
    var spilled: [SpillFile.Extent] = []
    /// What comes after that.
    var kept: [UInt8] = []
  }

  private let taxonomy: Taxonomy
  private let explained: [StrategyMetadata]?
  private let style: Style
  private var lines: [String: Lines] = [:]
  private var kept = 0
  private var spill: SpillFile?

  init(taxonomy: Taxonomy, explained: [StrategyMetadata]?, style: Style) {
    self.taxonomy = taxonomy
    self.explained = explained
    self.style = style
  }

  /// Takes in a block's items; blank ones are left out.
  ///
  /// - Throws: `CommandFailure` when they are too many for memory and cannot be kept in a file.
  mutating func add(_ work: Workspace) throws {
    for index in 0..<work.batch.count {
      let bytes = work.item(index)
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.contains(where: { !$0.isWhitespace }) else { continue }
      let section = work.batch.sectionName(at: index)
      try add(text, to: section, explained.map { Explanation(index, in: work.batch, metadata: $0) })
    }
  }

  /// Adds one item.
  ///
  /// - Throws: `CommandFailure`, as for a block.
  mutating func add(_ text: String, to section: String, _ explanation: Explanation? = nil) throws {
    let shown = Style.visible(text)
    let width = explained == nil ? 0 : min(shown.count, Self.mostAligned)
    let line = explanation.map { style.dim(Style.visible(Self.line($0))) }
    func add(to lines: inout Lines) -> Int {
      let before = lines.kept.count
      lines.count += 1
      lines.width = max(lines.width, width)
      lines.kept += "  ".utf8
      lines.kept += shown.utf8
      if let line {
        lines.kept += [Self.mark, UInt8(width)]
        lines.kept += line.utf8
      }
      lines.kept.append(0x0A)
      return lines.kept.count - before
    }
    kept += add(to: &lines[section, default: Lines()])
    if kept > Self.mostKept { try spillLines() }
  }

  private mutating func spillLines() throws {
    let file = try spill ?? SpillFile()
    spill = file
    for (section, entry) in lines where !entry.kept.isEmpty {
      lines[section]?.spilled.append(try file.append(entry.kept))
      lines[section]?.kept = []
    }
    kept = 0
  }

  /// The sections that have items, in the order they are shown in.
  var sections: [Section] { taxonomy.shown(Set(lines.keys)) }

  /// Writes the list.
  ///
  /// - Throws: `StreamError`; `Interruption`; `CommandFailure` when lines that were kept in a file cannot be read.
  func write(to output: Descriptor) throws {
    let writer = LineWriter(output)
    for (place, section) in sections.enumerated() {
      guard let lines = lines[section.name] else { continue }
      let name = style.colored(Style.visible(section.name), section.color)
      try writer.append((place == 0 ? "" : "\n") + name + style.dim("  \(lines.count)") + "\n")
      try writer.writeLines(width: lines.width) { write in
        for extent in lines.spilled { try spill?.read(extent, write) }
        try lines.kept.withUnsafeBytes(write)
      }
    }
    try writer.flush()
  }

  private static func line(_ explanation: Explanation) -> String {
    if explanation.strategy == "none" { return "no strategy decided" }
    var parts = ["\(explanation.confidenceText) \(explanation.strategy)"]
    if !explanation.keyword.isEmpty {
      let source = explanation.sourceText
      parts.append("`\(explanation.keyword)`" + (source.isEmpty ? "" : " \(source)"))
    }
    if !explanation.rule.isEmpty { parts.append(explanation.rule) }
    if !explanation.runnerUp.isEmpty { parts.append("over \(explanation.runnerUp)") }
    if !explanation.secondOpinion.isEmpty {
      parts.append("\(explanation.isOpposed ? "against" : "with") \(explanation.secondOpinion)")
    }
    return parts.joined(separator: " · ")
  }

  /// Writes lines as they were kept, with the blanks that they lack, whole ones at a time.
  private final class LineWriter {
    private static let most = 64 * 1024
    private let output: Descriptor
    private let buffer = OutputBuffer()

    init(_ output: Descriptor) { self.output = output }

    func append(_ text: String) throws {
      buffer.append(text.utf8)
      if buffer.count >= Self.most { try flush() }
    }

    /// - Parameter body: Hands over the lines' bytes, cut anywhere.
    func writeLines(width: Int, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
      var isWidth = false
      try body { bytes in
        var rest = bytes[...]
        while let first = rest.first {
          if isWidth {
            buffer.append(repeatElement(0x20, count: max(0, width - Int(first)) + 2))
            rest.removeFirst()
            isWidth = false
          }
          let end = rest.firstIndex(of: ShoppingList.mark) ?? rest.endIndex
          buffer.append(rest[..<end])
          isWidth = end < rest.endIndex
          rest = rest[end...].dropFirst()
          if buffer.count >= Self.most { try flush(upTo: (buffer.bytes.lastIndex(of: 0x0A) ?? -1) + 1) }
        }
      }
    }

    /// Writes as many bytes as hold whole lines, since a terminal is shown whole characters.
    private func flush(upTo end: Int) throws {
      try output.write(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<end]))
      buffer.removeFirst(end)
    }

    func flush() throws {
      try output.write(buffer.bytes)
      buffer.removeAll()
    }
  }
}
