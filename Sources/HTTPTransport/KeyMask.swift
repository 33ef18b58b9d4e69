/// Finds a key in texts of servers, also where one gives it back in another form: in other case, backwards, cut, with something between
/// its letters, in hexadecimal, in Base64 wherever it begins there (RFC 4648), or percent-encoded (RFC 3986).
///
/// A run of 8 characters that a text shares with any of these forms gives it away, and half the key where it has fewer than 16; a random
/// text shares one in less than one of a hundred million. To build it takes about a millisecond, to search about 0.1 ms a kilobyte.
struct KeyMask: Sendable {
  /// Runs of the same length that give the key away, packed into numbers.
  private struct Runs {
    let length: Int
    var packed: Set<UInt64> = []
  }

  /// What stands for the key.
  private static let replacement = "(key)"
  /// The longest run that must be shared.
  private static let run = 8
  /// The shortest encoded form that is looked for, and the fewest letters and digits of a key that are looked for alone.
  private static let shortest = 4

  /// Of the key as it is.
  private var plain: [Runs] = []
  /// Of its letters and digits alone, and of its other forms.
  private var letters: [Runs] = []

  init(_ key: String) {
    let bytes = Array(key.utf8).filter(Self.isPrinted)
    let upper = bytes.map { Self.isLower($0) ? $0 & 0xDF : $0 }
    let lower = bytes.map(Self.lowered)
    Self.add(lower, Self.width(lower.count), to: &plain)
    let onlyLetters = lower.filter(Self.isLetterOrDigit)
    if onlyLetters.count >= Self.shortest { Self.add(onlyLetters, Self.width(onlyLetters.count), to: &letters) }
    for form in [bytes, upper, lower].flatMap({ [$0, $0.reversed()] }) {
      for encoded in [Self.hexadecimal(form)] + (0..<3).map({ Self.base64(form, at: $0) }) {
        let run = encoded.map(Self.lowered).filter(Self.isLetterOrDigit)
        if run.count >= Self.shortest { Self.add(run, min(Self.run, run.count), to: &letters) }
      }
    }
  }

  /// The text with `(key)` for each word that gives the key away, and for what stands between two such.
  func hiding(in text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var isHidden = [Bool](repeating: false, count: scalars.count)
    for units in [Unit.all(scalars, decoding: false), Unit.all(scalars, decoding: true)] {
      Self.mark(plain, units, &isHidden)
      Self.mark(letters, units.filter { Self.isLetterOrDigit($0.byte) }, &isHidden)
    }
    guard isHidden.contains(true) else { return text }
    // What is left of a word beside what gives the key away may be the rest of it.
    for place in scalars.indices.dropFirst() where isHidden[place - 1] && Self.isOfWord(scalars[place]) { isHidden[place] = true }
    for place in scalars.indices.dropLast().reversed() where isHidden[place + 1] && Self.isOfWord(scalars[place]) {
      isHidden[place] = true
    }
    var shown = String.UnicodeScalarView()
    for place in scalars.indices {
      if !isHidden[place] {
        shown.append(scalars[place])
      } else if place == 0 || !isHidden[place - 1] {
        shown.append(contentsOf: Self.replacement.unicodeScalars)
      }
    }
    return String(shown)
  }

  /// A character of a text that may be one of the key, in lower case, and where it stands.
  private struct Unit {
    let byte: UInt8
    let places: Range<Int>

    /// All of a text; nothing else than printed ASCII counts.
    ///
    /// - Parameter decoding: Whether `%41` is an `A`.
    static func all(_ scalars: [Unicode.Scalar], decoding: Bool) -> [Unit] {
      var units: [Unit] = []
      units.reserveCapacity(scalars.count)
      var place = 0
      while place < scalars.count {
        var end = place + 1
        var byte = scalars[place].isASCII ? UInt8(truncatingIfNeeded: scalars[place].value) : 0
        if decoding, byte == UInt8(ascii: "%"), place + 2 < scalars.count,
          let high = scalars[place + 1].properties.isASCIIHexDigit ? Character(scalars[place + 1]).hexDigitValue : nil,
          let low = scalars[place + 2].properties.isASCIIHexDigit ? Character(scalars[place + 2]).hexDigitValue : nil
        {
          byte = UInt8(high << 4 | low)
          end = place + 3
        }
        if KeyMask.isPrinted(byte) { units.append(Unit(byte: KeyMask.lowered(byte), places: place..<end)) }
        place = end
      }
      return units
    }
  }

  private static func mark(_ all: [Runs], _ units: [Unit], _ isHidden: inout [Bool]) {
    for runs in all where units.count >= runs.length {
      for start in 0...units.count - runs.length {
        let run = units[start..<start + runs.length]
        guard runs.packed.contains(pack(run.lazy.map(\.byte))), let last = run.last else { continue }
        for place in units[start].places.lowerBound..<last.places.upperBound { isHidden[place] = true }
      }
    }
  }

  /// Adds the runs of a form, and those of it backwards.
  private static func add(_ form: [UInt8], _ length: Int, to all: inout [Runs]) {
    guard length > 0 else { return }
    if !all.contains(where: { $0.length == length }) { all.append(Runs(length: length)) }
    for index in all.indices where all[index].length == length {
      for bytes in [form, form.reversed()] {
        for start in 0...bytes.count - length { all[index].packed.insert(pack(bytes[start..<start + length])) }
      }
    }
  }

  /// How long a run of a key of so many characters must be.
  private static func width(_ count: Int) -> Int { min(run, max(min(count, shortest), (count + 1) / 2)) }

  private static func pack(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  private static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte in [byte >> 4, byte & 15].map { $0 < 10 ? $0 + UInt8(ascii: "0") : $0 - 10 + UInt8(ascii: "a") } }
  }

  /// What stands for the bytes in a Base64 text, whatever comes before and after them.
  ///
  /// - Parameter offset: How many bytes of a group of three come before.
  private static func base64(_ bytes: [UInt8], at offset: Int) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    // The first digit that depends on the bytes alone begins so many bits into them.
    return stride(from: [0, 4, 2][offset], through: bits.count - 6, by: 6).map { start in
      digits[bits[start..<start + 6].reduce(0) { $0 << 1 | Int($1) }]
    }
  }

  private static func isPrinted(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

  private static func isLower(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isLower(lowered(byte)) || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && isLetterOrDigit(UInt8(truncatingIfNeeded: scalar.value)) || "-_+/=%".unicodeScalars.contains(scalar)
  }
}
