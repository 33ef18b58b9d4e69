internal import CBytes

/// The folded form of items that are not plain ASCII, or have apostrophes or `&` in them.
extension Words {
  /// Writes the item's folded form to `folded` and where each byte came from to `origins`; gives its length.
  func fold(_ item: UnsafePointer<UInt8>, _ length: Int) -> Int {
    var count = 0
    let limit = Words.foldedCapacity - 24
    var decoder = ScalarReader(item, length)
    let dropsApostrophes = !cutsAtApostrophes
    let latin = Folding.latin.address
    func put(_ byte: UInt8, from origin: Int) {
      folded[count] = byte
      origins[count] = UInt32(truncatingIfNeeded: origin)
      count += 1
    }
    /// What stands for a dash: a break where blanks are on both sides.
    func dash(from start: Int, to end: Int) -> UInt8 {
      Separator.isApart(start..<end, in: item, count: length) ? UInt8(ascii: "|") : 0x20
    }
    /// An apostrophe is dropped inside and behind a word.
    func apostrophe(from origin: Int) {
      let isInWord = count > 0 && (folded[count - 1] >= 0x80 || folded[count - 1].isASCIILetter || folded[count - 1].isASCIIDigit)
      if !isInWord || !dropsApostrophes { put(0x20, from: origin) }
    }
    while count < limit {
      let plain = copyPlain(item, from: decoder.offset, to: count, length)
      decoder.skip(plain)
      count += plain
      if plain == 16 { continue }
      // What stopped it is mostly a letter of two bytes.
      if let letters = Self.latin(item, decoder.offset, length, latin) {
        let isSeparator = letters == Folding.separator
        put(isSeparator ? 0x20 : UInt8(truncatingIfNeeded: letters), from: decoder.offset)
        if letters > 0xFF, !isSeparator { put(UInt8(truncatingIfNeeded: letters &>> 8), from: decoder.offset) }
        decoder.skip(2)
        continue
      }
      guard let (scalar, origin) = decoder.next() else { break }
      switch scalar.map(Folding.usualWidth) {
      case .some(let value) where value < 0x80:
        var byte = UInt8(truncatingIfNeeded: value).lowercasedASCII
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`") {
          apostrophe(from: origin)
          continue
        }
        if byte == UInt8(ascii: "."), Separator.joinsInitials(origin, of: item, count: length) { continue }
        if byte == UInt8(ascii: "-") { byte = dash(from: origin, to: decoder.offset) }
        if byte == UInt8(ascii: "&") {
          for byte in [0x20, UInt8(ascii: "a"), UInt8(ascii: "n"), UInt8(ascii: "d")] { put(byte, from: origin) }
          put(0x20, from: decoder.offset)
        } else {
          put(byte, from: origin)
        }
      case 0x2018, 0x2019, 0x2BC, 0x2032:
        apostrophe(from: origin)
      case .some:
        guard let scalar else { continue }  // Cannot be: the value is the scalar's.
        let isWord = !Self.separates(scalar) && Folding.shared.fold(scalar) { Words.encode($0) { put($0, from: origin) } }
        let isDash = scalar.value == 0x2013 || scalar.value == 0x2014
        if !isWord { put(isDash ? dash(from: origin, to: decoder.offset) : 0x20, from: origin) }
      case .none:
        put(0x20, from: origin)
      }
    }
    origins[count] = UInt32(truncatingIfNeeded: decoder.offset)
    (folded + count).update(repeating: 0, count: Batch.padding)
    return count
  }

  /// What a letter of two bytes folds to, as `Folding.latin` has it; `nil` for other bytes.
  @inline(__always)
  private static func latin(
    _ item: UnsafePointer<UInt8>, _ offset: Int, _ length: Int, _ table: UnsafePointer<UInt16>
  ) -> UInt16? {
    let (row, trail) = (item[offset] &- Folding.firstLatinLead, item[offset &+ 1])
    guard row < Folding.latinLeads, trail & 0xC0 == 0x80, offset &+ 1 < length else { return nil }
    let letters = table[Int(row) &<< 6 | Int(trail & 0x3F)]
    return letters == 0 ? nil : letters
  }

  /// Whether a scalar is one of `Folding.symbols` that separate words.
  @inline(__always)
  private static func separates(_ scalar: Unicode.Scalar) -> Bool {
    let place = scalar.value &- Folding.firstSymbol
    return place < Folding.symbolCount && Folding.symbols.address[Int(place &>> 6)] &>> UInt64(place & 63) & 1 == 1
  }

  /// Copies up to 16 bytes that stay as they are but for case.
  ///
  /// - Returns: how many.
  @inline(__always)
  private func copyPlain(_ item: UnsafePointer<UInt8>, from offset: Int, to count: Int, _ length: Int) -> Int {
    let origin = UInt32(truncatingIfNeeded: offset)
    let places = SIMD16<UInt32>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) &+ SIMD16(repeating: origin)
    UnsafeMutableRawPointer(origins + count).storeBytes(of: places, as: SIMD16<UInt32>.self)
    return min(aisle_copy_plain(item + offset, folded + count), length &- offset)
  }

  private static func encode(_ value: UInt32, put: (UInt8) -> Void) {
    switch value {
    case ..<0x80: put(UInt8(value))
    case ..<0x800:
      put(UInt8(0xC0 | value >> 6))
      put(UInt8(0x80 | value & 0x3F))
    case ..<0x10000:
      put(UInt8(0xE0 | value >> 12))
      put(UInt8(0x80 | value >> 6 & 0x3F))
      put(UInt8(0x80 | value & 0x3F))
    default:
      put(UInt8(truncatingIfNeeded: 0xF0 | value >> 18))
      put(UInt8(0x80 | value >> 12 & 0x3F))
      put(UInt8(0x80 | value >> 6 & 0x3F))
      put(UInt8(0x80 | value & 0x3F))
    }
  }
}
