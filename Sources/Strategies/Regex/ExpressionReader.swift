/// Reads a PCRE2 expression as far as it must to say what every match holds.
///
/// It knows the everyday part of the grammar. Where an expression uses anything else, nothing is certain, and the pattern is tried on
/// every item: slower, and as right.
struct ExpressionReader {
  let scalars: [Unicode.Scalar]
  var place = 0
  private var depth = 0

  /// What is known of a part of an expression.
  struct Part {
    /// All that it can match, byte for byte, where that is little.
    var texts: [Requirement.Text]?
    /// Where that is much: what it begins with, and what it ends with.
    var heads: [Requirement.Text]?
    var tails: [Requirement.Text]?
    /// The kinds of the bytes that it can match.
    var kinds: Letter.Kinds
    /// The kinds of the first of them.
    var begins: Letter.Kinds
    var canBeEmpty = false
    var requirement = Requirement()
    /// Whether it begins with `^`, and whether it ends with `$`.
    var isAtStart = false
    var isAtEnd = false

    /// Matches nothing but a place between letters.
    static let place = Part(texts: [[]], kinds: 0, begins: 0, canBeEmpty: true)

    /// Matches something of these kinds, of unknown length.
    static func unknown(_ kinds: Letter.Kinds) -> Part { Part(texts: nil, kinds: kinds, begins: kinds) }

    /// Matches one byte of these kinds.
    static func byte(_ kinds: Letter.Kinds) -> Part { Part(texts: [[kinds]], kinds: kinds, begins: kinds) }
  }

  /// The expression uses what is not read here.
  struct Unread: Error {}

  private static let deepest = 32

  private init(_ expression: String) { scalars = Array(expression.unicodeScalars) }

  /// What an item must hold for the expression to match it.
  static func requirement(of expression: String) -> Requirement {
    var reader = ExpressionReader(expression)
    do throws(Unread) {
      var part = try reader.alternatives()
      guard reader.place == reader.scalars.count else { return Requirement() }
      if let texts = part.texts { part.requirement.tighten(texts) }
      if part.isAtStart, !part.canBeEmpty { part.requirement.begins = part.begins }
      if part.isAtStart, part.isAtEnd { part.requirement.within = part.kinds }
      return part.requirement
    } catch {
      return Requirement()
    }
  }

  var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }

  /// `a|b|c`, up to the end or a closing parenthesis.
  private mutating func alternatives() throws(Unread) -> Part {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepest { throw Unread() }
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    if branches.count == 1 { return branches[0] }
    let texts = branches.compactMap(\.texts).joined()
    let isKnown = texts.count <= Requirement.mostTexts && branches.allSatisfy { $0.texts != nil }
    let requirements = branches.map { branch in
      var requirement = branch.requirement
      if let texts = branch.texts { requirement.tighten(texts) }
      return requirement
    }
    return Part(
      texts: isKnown ? Array(texts) : nil, kinds: branches.reduce(0) { $0 | $1.kinds },
      begins: branches.reduce(0) { $0 | $1.begins },
      canBeEmpty: branches.contains(where: \.canBeEmpty), requirement: .either(requirements),
      isAtStart: branches.allSatisfy(\.isAtStart), isAtEnd: branches.allSatisfy(\.isAtEnd))
  }

  /// Parts one after the other.
  private mutating func sequence() throws(Unread) -> Part {
    var whole = Part.place
    var texts: [Requirement.Text]? = [[]]
    // The texts of the parts since the last that is not known.
    var run: [Requirement.Text] = [[]]
    whole.isAtStart = next == "^"
    while let scalar = next, scalar != "|", scalar != ")" {
      let atom = try atom()
      let part = try repeated(atom)
      // An anchor that is repeated may be left out.
      if !part.isAtStart, whole.begins == 0, scalar == "^" { whole.isAtStart = false }
      whole.isAtEnd = part.isAtEnd
      whole.requirement.tighten(part.requirement)
      whole.kinds |= part.kinds
      if whole.canBeEmpty { whole.begins |= part.begins }
      whole.canBeEmpty = whole.canBeEmpty && part.canBeEmpty
      if let more = part.texts, let both = Self.joined(run, more) {
        run = both
      } else {
        // What the part begins with stands behind the run, and what it ends with before the next.
        let longer = part.heads.flatMap { Self.joined(run, $0) } ?? run
        whole.requirement.tighten(longer)
        if texts != nil { whole.heads = longer }
        run = part.texts ?? part.tails ?? [[]]
        texts = nil
      }
    }
    whole.requirement.tighten(run)
    (whole.texts, whole.tails) = texts == nil ? (nil, run) : (run, nil)
    return whole
  }

  /// Each of some texts with each of others behind it; `nil` when that is much.
  private static func joined(_ texts: [Requirement.Text], _ more: [Requirement.Text]) -> [Requirement.Text]? {
    guard texts.count * more.count <= Requirement.mostTexts else { return nil }
    let all = texts.flatMap { text in more.map { text + $0 } }
    return all.contains { $0.count > Requirement.longestText } ? nil : all
  }

  /// A part with the quantifier that follows it.
  private mutating func repeated(_ part: Part) throws(Unread) -> Part {
    var (least, most) = (1, 1)
    switch next {
    case "*": (least, most) = (0, .max)
    case "+": (least, most) = (1, .max)
    case "?": (least, most) = (0, 1)
    case "{": (least, most) = try bounds()
    default: return part
    }
    place += 1
    if next == "?" || next == "+" { place += 1 }
    if next == "*" || next == "{" || next == "?" || next == "+" { throw Unread() }
    var repeated = part
    (repeated.isAtStart, repeated.isAtEnd) = (false, false)
    if least == 1, most == 1 { return repeated }
    if least == 0 {
      repeated.requirement = Requirement()
      repeated.canBeEmpty = true
      (repeated.heads, repeated.tails) = (nil, nil)
      repeated.texts = most == 1 ? part.texts.map { $0.contains([]) ? $0 : $0 + [[]] } : nil
      if let texts = repeated.texts, texts.count > Requirement.mostTexts { repeated.texts = nil }
      return repeated
    }
    guard let texts = part.texts, texts != [[]] else { return repeated }
    var several = texts
    var isWhole = least == most
    for _ in 1..<least {
      guard let more = Self.joined(several, texts) else {
        isWhole = false
        break
      }
      several = more
    }
    repeated.requirement.tighten(several)
    repeated.texts = isWhole ? several : nil
    if !isWhole { (repeated.heads, repeated.tails) = (several, several) }
    return repeated
  }

  /// Reads `{n}`, `{n,}` or `{n,m}` up to the closing brace.
  private mutating func bounds() throws(Unread) -> (Int, Int) {
    place += 1
    let least = try number()
    var most = least
    if take(",") { most = next == "}" ? .max : try number() }
    guard next == "}", most >= least else { throw Unread() }
    return (least, most)
  }

  private mutating func number() throws(Unread) -> Int {
    var value: Int?
    while let digit = next, ("0"..."9").contains(digit) {
      guard (value ?? 0) < 100_000 else { throw Unread() }
      value = (value ?? 0) * 10 + Int(digit.value - 48)
      place += 1
    }
    guard let value else { throw Unread() }
    return value
  }

  private mutating func atom() throws(Unread) -> Part {
    guard let scalar = next else { return .place }
    place += 1
    switch scalar {
    case "^", "$":
      var part = Part.place
      (part.isAtStart, part.isAtEnd) = (scalar == "^", scalar == "$")
      return part
    case ".": return .unknown(Letter.all)
    case "[": return try characterClass()
    case "(": return try group()
    case "\\": return try escape()
    case "*", "+", "?", "{", "}", ")": throw Unread()
    default: return Self.literal(scalar)
    }
  }

  /// A letter as it stands, in any case. Another case of one beyond ASCII may have another number of bytes, but stays in its plane.
  private static func literal(_ scalar: Unicode.Scalar) -> Part {
    if scalar.isASCII { return .byte(1 << UInt64(Letter.kinds[Int(scalar.value)])) }
    if Letter.isOtherCaseOfASCII(scalar) { return .unknown(Letter.all) }
    if scalar.value > 0xFFFF {
      var part = Part(texts: [Letter.fourBytes], kinds: Letter.strange, begins: Letter.strange)
      if Letter.isEmoji(scalar) { part.requirement.emoji = Letter.emojiBit(scalar) }
      return part
    }
    var part = Part.unknown(1 << UInt64(Letter.other))
    part.requirement.tighten([[part.kinds]])
    return part
  }

  private mutating func group() throws(Unread) -> Part {
    var isLookaround = false
    if take("*") { throw Unread() }
    if take("?") {
      guard let kind = next else { throw Unread() }
      place += 1
      switch kind {
      case ":", ">", "|": break
      case "=", "!": isLookaround = true
      case "<":
        if next == "=" || next == "!" {
          place += 1
          isLookaround = true
        } else {
          while let scalar = next, scalar != ">" {
            guard scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil else { throw Unread() }
            place += 1
          }
          if !take(">") { throw Unread() }
        }
      default: throw Unread()
      }
    }
    let part = try alternatives()
    if !take(")") { throw Unread() }
    return isLookaround ? .place : part
  }

  private mutating func escape() throws(Unread) -> Part {
    guard let scalar = next else { throw Unread() }
    place += 1
    switch scalar {
    case "b", "B", "A", "z", "Z": return .place
    case "d": return .byte(Letter.digits)
    case "w": return .byte(Letter.wordLetters)
    case "s": return .byte(Letter.blanks)
    case "D": return .unknown(~Letter.digits)
    case "W": return .unknown(~Letter.wordLetters)
    case "S", "h", "H", "v", "V", "R", "N", "X", "t", "n", "r", "f", "e", "a":
      if scalar == "N", next == "{" { throw Unread() }
      return .unknown(Letter.all)
    case "p", "P", "x":
      if !take("{") { throw Unread() }
      while let inside = next, inside != "}" {
        if inside == "\\" { throw Unread() }
        place += 1
      }
      if !take("}") { throw Unread() }
      return .unknown(Letter.all)
    default:
      if !Self.isSign(scalar) { throw Unread() }
      return Self.literal(scalar)
    }
  }

  /// Whether a backslash before a scalar only takes its meaning away.
  static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar)
  }
}
