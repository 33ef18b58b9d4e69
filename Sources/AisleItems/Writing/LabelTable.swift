import AisleCore

/// The sections' names ready to be copied, each in a row of the same width.
struct LabelTable: Sendable {
  let count: Int
  let width: Int
  let fallback: String
  private let bytes: [UInt8]
  private let lengths: [Int]
  private let fallbackIndex: Int

  /// - Parameter before: What stands before each name.
  init(_ taxonomy: Taxonomy, before: String) {
    let labels = taxonomy.sections.map { Array((before + $0.name).utf8) }
    count = labels.count
    let width = labels.map(\.count).max() ?? 0
    self.width = width
    lengths = labels.map(\.count)
    bytes = labels.flatMap { $0 + [UInt8](repeating: 0, count: width - $0.count) }
    fallbackIndex = Int(taxonomy.fallback.rawValue)
    fallback = taxonomy[taxonomy.fallback].name
  }

  /// Appends a section's label, the fallback's for `nil`; room for `width` bytes must have been reserved.
  @inline(__always)
  func put(_ section: UInt16?, _ output: OutputBuffer) {
    let row = section.map(Int.init) ?? fallbackIndex
    bytes.withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress { output.put(base + row &* width, lengths[row]) }
    }
  }
}
