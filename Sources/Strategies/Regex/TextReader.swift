/// Reads a PCRE2 expression as far as it must to find texts of which every match holds one.
///
/// It knows the everyday part of the grammar. Where an expression uses anything else, nothing is certain, and the pattern is tried on
/// every item: slower, and as right. Texts are in lower case, as `PatternFilter` sees items.
struct TextReader {
  /// The first bytes of a text, as many as fit.
  struct Text: Hashable {
    /// The bytes, the first the highest.
    var bits: UInt64 = 0
    var count = 0

    init() {}

    init(_ bytes: some Collection<UInt8>) {
      for (place, byte) in bytes.prefix(8).enumerated() { bits |= UInt64(byte) << (56 - 8 * place) }
      count = min(bytes.count, 8)
    }

    static func + (left: Text, right: Text) -> Text {
      var text = left
      text.bits |= right.bits >> (8 * left.count)
      text.count = min(left.count + right.count, 8)
      return text
    }

    /// About how likely it stands at a given place of an item.
    var likelihood: Double {
      var (likelihood, rest) = (1.0, bits)
      for _ in 0..<count {
        switch UInt8(rest >> 56) {
        case 0x20: likelihood *= 0.15
        case 0x30...0x39: likelihood *= 0.03
        case 0x61...0x7A: likelihood *= 0.06
        default: likelihood *= 0.01
        }
        rest <<= 8
      }
      return likelihood
    }
  }

  /// What is known of a part of an expression.
  private struct Part {
    /// All that it can match, or its beginnings, where that is little.
    var all: [Text]?
    /// Texts of which all that it matches holds one.
    var held: [Text]?

    static let place = Part(all: [Text()])
    static let unknown = Part()

    static func any(_ bytes: some Sequence<UInt8>) -> Part { Part(all: bytes.map { Text(CollectionOfOne($0)) }) }
  }

  /// The expression uses what is not read here.
  private struct Unread: Error {}

  /// The most texts that parts one after the other have.
  private static let mostJoined = 128
  /// The most texts that alternatives have.
  private static let mostTexts = 1024
  private static let deepest = 32

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  private init(_ expression: String) { scalars = Array(expression.unicodeScalars) }

  /// Texts of which every match of an expression holds one; `nil` where nothing is certain.
  static func texts(in expression: String) -> [Text]? {
    var reader = TextReader(expression)
    guard let part = try? reader.alternatives(), reader.position == reader.scalars.count else { return nil }
    return rarer(part.all, part.held)
  }

  /// Whichever texts an item is less likely to hold; `nil` where it may hold none.
  private static func rarer(_ one: [Text]?, _ other: [Text]?) -> [Text]? {
    func likelihood(_ texts: [Text]?) -> Double { texts.map { $0.reduce(0) { $0 + $1.likelihood } } ?? 1 }
    let (first, second) = (likelihood(one), likelihood(other))
    return min(first, second) >= 1 ? nil : first <= second ? one : other
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  /// `a|b|c`, up to the end or a closing parenthesis.
  private mutating func alternatives() throws(Unread) -> Part {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepest { throw Unread() }
    var whole = try sequence()
    while take("|") {
      let part = try sequence()
      let held = Self.either(Self.rarer(whole.all, whole.held), Self.rarer(part.all, part.held))
      whole = Part(all: Self.either(whole.all, part.all), held: held)
    }
    return whole
  }

  private static func either(_ one: [Text]?, _ other: [Text]?) -> [Text]? {
    guard let one, let other, one.count + other.count <= mostTexts else { return nil }
    return one + other
  }

  /// Parts one after the other.
  private mutating func sequence() throws(Unread) -> Part {
    var held: [Text]?
    // The texts of the parts since the last that is not known.
    var run = [Text()]
    var isWhole = true
    while let scalar = next, scalar != "|", scalar != ")" {
      let part = try atom()
      let (least, most) = try quantifier()
      let once = least == 0 ? part.all.map { $0 + [Text()] } : part.all
      if least > 0 { held = Self.rarer(held, part.held) }
      let longer = once.flatMap { Self.joined(run, $0) }
      if let longer, most == 1 {
        run = longer
      } else {
        // One that is repeated begins behind the run, and ends before what follows.
        held = Self.rarer(held, longer ?? run)
        run = least > 0 ? part.all ?? [Text()] : [Text()]
        isWhole = false
      }
    }
    return Part(all: isWhole ? run : nil, held: isWhole ? held : Self.rarer(held, run))
  }

  /// Each of some texts with each of others behind it; `nil` when that is much.
  private static func joined(_ texts: [Text], _ more: [Text]) -> [Text]? {
    guard texts.count * more.count <= mostJoined else { return nil }
    return texts.flatMap { text in more.map { text + $0 } }
  }

  /// How often the part before is matched, at the least and at the most; 2 stands for more than once.
  private mutating func quantifier() throws(Unread) -> (least: Int, most: Int) {
    var bounds = (least: 1, most: 1)
    if take("*") {
      bounds = (0, 2)
    } else if take("+") {
      bounds = (1, 2)
    } else if take("?") {
      bounds = (0, 1)
    } else if take("{") {
      guard let end = scalars[position...].firstIndex(of: "}") else { throw Unread() }
      let numbers = String(String.UnicodeScalarView(scalars[position..<end])).split(
        separator: ",", omittingEmptySubsequences: false)
      guard let least = numbers.first.flatMap({ Int($0) }), numbers.count <= 2 else { throw Unread() }
      bounds = (min(least, 1), numbers.count == 1 && least <= 1 ? 1 : 2)
      position = end + 1
    } else {
      return bounds
    }
    // Lazy or possessive.
    if !take("?") { _ = take("+") }
    if let next, "*+?{".unicodeScalars.contains(next) { throw Unread() }
    return bounds
  }

  /// A letter, a class, a group, or what matches a place.
  private mutating func atom() throws(Unread) -> Part {
    let scalar = scalars[position]
    position += 1
    switch scalar {
    case "^", "$": return .place
    case ".": return .unknown
    case "[": return try characterClass()
    case "(": return try group()
    case "\\":
      guard let escaped = next else { throw Unread() }
      position += 1
      return "bB".unicodeScalars.contains(escaped) ? .place : try Self.escaped(escaped)
    case "*", "+", "?", "{": throw Unread()
    default: return Self.letter(scalar)
    }
  }

  private mutating func group() throws(Unread) -> Part {
    if next == "*" { throw Unread() }
    var isPlace = false
    if take("?"), !take(":") {
      _ = take("<")
      guard take("=") || take("!") else { throw Unread() }
      isPlace = true
    }
    let inside = try alternatives()
    if !take(")") { throw Unread() }
    return isPlace ? .place : inside
  }

  private static func escaped(_ scalar: Unicode.Scalar) throws(Unread) -> Part {
    switch scalar {
    case "d": .any(0x30...0x39)
    case "w": .any("abcdefghijklmnopqrstuvwxyz_0123456789".utf8)
    case "s": .any([0x20, 9, 10, 11, 12, 13])
    case "S", "W", "D": .unknown
    default:
      if scalar.isASCII, !scalar.properties.isAlphabetic, scalar.properties.numericType == nil {
        letter(scalar)
      } else {
        throw Unread()
      }
    }
  }

  /// A letter that stands for itself. One beyond ASCII is certain only where it has no other case, as emoji have none.
  private static func letter(_ scalar: Unicode.Scalar) -> Part {
    if scalar.isASCII { return scalar == "\0" ? .unknown : .any([PatternFilter.lower(UInt8(scalar.value))]) }
    let isCased = scalar.properties.isCased || scalar.properties.changesWhenCaseMapped
    return isCased ? .unknown : Part(all: [Text(UTF8.encode(scalar).map(Array.init) ?? [])])
  }

  /// The inside of `[…]`.
  private mutating func characterClass() throws(Unread) -> Part {
    let isNegated = take("^")
    var members: [Text]? = []
    var isFirst = true
    while let scalar = next, scalar != "]" || isFirst {
      isFirst = false
      position += 1
      var part = Self.letter(scalar)
      if scalar == "\\" {
        guard let escaped = next else { throw Unread() }
        position += 1
        part = try Self.escaped(escaped)
      } else if scalar == "[", let sign = next, ":.=".unicodeScalars.contains(sign) {
        throw Unread()
      }
      if next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" {
        let last = scalars[position + 1]
        if scalar == "\\" || last == "\\" || last == "[" { throw Unread() }
        position += 2
        guard scalar.value <= last.value else { throw Unread() }
        let range = (scalar.value...last.value).prefix(128).map { Unicode.Scalar($0).flatMap { Self.letter($0).all?.first } }
        let isKnown = last.value - scalar.value < 128 && !range.contains(nil)
        part = isKnown ? Part(all: range.compactMap(\.self)) : .unknown
      }
      members = Self.either(members, part.all)
    }
    if !take("]") { throw Unread() }
    return isNegated ? .unknown : Part(all: members)
  }
}
