import AisleCore

/// What the beginning of an input, or its name, tells of it before any record is read.
enum InputMark {
  /// What is wrong with an input that is no text, and the remedy; `nil` for one that may be.
  static func fault(of bytes: ArraySlice<UInt8>, in name: String) -> String? {
    if let encoding = utf16(bytes) { return "\(name):1: the text is UTF-16; convert it first: iconv -f \(encoding) -t UTF-8" }
    guard let binary = binaries.first(where: { bytes.starts(with: $0.mark) }) else { return nil }
    return "\(name): the file is \(binary.kind); \(binary.remedy)"
  }

  /// What is wrong with a file whose name says that it is no text; `nil` for all others. Where the format was named, the name does not
  /// count.
  static func fault(ofName path: String) -> String? {
    isForeign(path) ? "\(path): the file looks like a spreadsheet or PDF by its name; save it as CSV first" : nil
  }

  /// Whether a file's name says that no format is for it.
  static func isForeign(_ path: String) -> Bool {
    let name = path.lowercased()
    return [".xlsx", ".xlsm", ".xls", ".ods", ".numbers", ".pdf"].contains { name.hasSuffix($0) }
  }

  /// The format that JSON at the beginning of an input is in; `nil` where it begins with something else.
  static func format(ofJSON bytes: ArraySlice<UInt8>) -> String? {
    let bytes = bytes.dropFirst(ByteOrderMark.length(in: bytes))
    guard let first = bytes.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
    let isObject = first == UInt8(ascii: "{")
    let next = bytes.dropFirst().first { $0 != 0x20 && $0 != 0x09 && (isObject || $0 != 0x0A && $0 != 0x0D) }
    if isObject { return next == UInt8(ascii: "\"") ? "jsonl" : nil }
    return next == UInt8(ascii: "{") ? "json" : nil
  }

  /// The options that read a table whose header is at the beginning of an input; `nil` where no line of column names is there.
  static func options(ofTable bytes: ArraySlice<UInt8>) -> String? {
    let bytes = bytes.dropFirst(ByteOrderMark.length(in: bytes))
    guard let end = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
    let line = String(decoding: bytes[..<end], as: UTF8.self)
    for (delimiter, name) in InputSetup.delimiters where bytes[..<end].contains(delimiter) {
      let fields = line.split(separator: Character(Unicode.Scalar(delimiter)), omittingEmptySubsequences: false).map { field in
        field.hasPrefix("\"") && field.hasSuffix("\"") && field.utf8.count > 2 ? field.dropFirst().dropLast() : field
      }
      let names = fields.map { $0.lowercased() }
      // "milk, eggs" is a list; all fields of a header are names, and one names the items.
      guard fields.count > 1, Set(names).count == names.count, !fields.contains(where: { $0.isEmpty || $0.hasPrefix(" ") }),
        let item = itemColumns.lazy.compactMap({ names.firstIndex(of: $0) }).first,
        names.indices.contains(where: { $0 != item && otherColumns.contains(names[$0]) })
      else { continue }
      let column = fields[item]
      let format = delimiter == 0x09 ? "tsv" : delimiter == UInt8(ascii: ",") ? "csv" : "csv --delimiter \(name)"
      return "--input-format \(format) --column \(column.contains(" ") ? "'\(column)'" : String(column))"
    }
    return nil
  }

  /// What columns of items are called, the likeliest first, and what others beside them are.
  private static let itemColumns = [
    "item", "items", "product", "product name", "product_name", "item name", "item_name", "name", "title", "description",
  ]
  private static let otherColumns: Set<String> = [
    "id", "sku", "upc", "ean", "gtin", "barcode", "code", "order", "order id", "order_id", "date", "store", "brand",
    "qty", "quantity", "count", "amount", "unit", "units", "size", "price", "cost", "total",
    "category", "department", "section", "aisle", "name", "title", "description", "note", "notes",
  ]

  private static let binaries: [(mark: [UInt8], kind: String, remedy: String)] = [
    // The mark, and the one method there is (RFC 1952).
    ([0x1F, 0x8B, 8], "compressed with gzip", "unpack it first: zcat FILE | aisle categorize"),
    ([0x50, 0x4B, 3, 4], "a spreadsheet or another ZIP archive", "save it as CSV, or unpack it first"),
    ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "an Excel workbook or another Office document", "save it as CSV first"),
    (Array("%PDF-".utf8), "a PDF", "take its text out first: pdftotext -layout FILE - | aisle categorize"),
    ([0xFF, 0xD8, 0xFF], "a photo", "read it first: aisle read FILE | aisle categorize"),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a picture", "read it first: aisle read FILE | aisle categorize"),
  ]

  /// What kind of UTF-16 bytes begin as, `nil` for other text: with its mark, and NUL bytes among what follows, as of every line end; or
  /// with NUL bytes at most of either the odd or the even places, as of Latin letters.
  private static func utf16(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.contains(0) else { return nil }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    let counts = [0, 1].map { parity in bytes.indices.count { bytes[$0] == 0 && ($0 - bytes.startIndex) % 2 == parity } }
    let most = max(4, bytes.count / 4)
    return counts[0] == 0 && counts[1] >= most ? "UTF-16LE" : counts[1] == 0 && counts[0] >= most ? "UTF-16BE" : nil
  }
}
