/// Reads a PCRE2 expression as far as it must to say what every match holds.
///
/// It knows the everyday part of the grammar. Where an expression uses anything else, nothing is certain, and the pattern is tried on
/// every item: slower, and as right.
struct ExpressionReader {
  private let scalars: [Unicode.Scalar]
  private var place = 0
  private var depth = 0
  /// What is known of a part of an expression.
  private struct Part {
    /// All texts that it can match, where they are few.
    var exact: [[UInt8]]?
    var requirement = Requirement()

    /// Matches nothing but a place between letters.
    static let place = Part(exact: [[]])
    /// Matches who knows what.
    static let unknown = Part(exact: nil)
  }

  /// The expression uses what is not read here.
  private struct Unread: Error {}

  private static let deepest = 32

  private init(_ expression: String) { scalars = Array(expression.unicodeScalars) }

  /// What an item must hold for the expression to match it.
  static func requirement(of expression: String) -> Requirement {
    var reader = ExpressionReader(expression)
    do throws(Unread) {
      var part = try reader.alternatives()
      guard reader.place == reader.scalars.count else { return Requirement() }
      if let exact = part.exact { part.requirement.tighten(exact) }
      return part.requirement
    } catch {
      return Requirement()
    }
  }

  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
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
    var all: [[UInt8]]? = []
    for branch in branches {
      guard let sofar = all, let exact = branch.exact, sofar.count + exact.count <= Requirement.mostTexts else {
        all = nil
        break
      }
      all = sofar + exact
    }
    let requirements = branches.map { branch in
      var requirement = branch.requirement
      if let exact = branch.exact { requirement.tighten(exact) }
      return requirement
    }
    return Part(exact: all, requirement: .either(requirements))
  }

  /// Parts one after the other.
  private mutating func sequence() throws(Unread) -> Part {
    var requirement = Requirement()
    var exact = true
    var texts: [[UInt8]] = [[]]
    while let scalar = next, scalar != "|", scalar != ")" {
      let part = try repeated(try atom())
      requirement.tighten(part.requirement)
      if let more = part.exact, texts.count * more.count <= Requirement.mostTexts {
        texts = texts.flatMap { text in more.map { text + $0 } }
      } else {
        requirement.tighten(texts)
        texts = part.exact ?? [[]]
        exact = false
      }
    }
    if exact { return Part(exact: texts, requirement: requirement) }
    requirement.tighten(texts)
    return Part(exact: nil, requirement: requirement)
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
    if least == 1, most == 1 { return part }
    if least == 0 {
      guard most == 1, let exact = part.exact else { return .unknown }
      return Part(exact: exact.contains([]) ? exact : exact + [[]])
    }
    var requirement = part.requirement
    if let exact = part.exact {
      requirement.tighten(exact)
      if exact == [[]] { return Part(exact: exact, requirement: requirement) }
    }
    return Part(exact: nil, requirement: requirement)
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
    case "^", "$": return .place
    case ".": return .unknown
    case "[": return try characterClass()
    case "(": return try group()
    case "\\": return try escape()
    case "*", "+", "?", "{", "}", ")": throw Unread()
    default: return Self.literal(scalar)
    }
  }

  /// A letter as it stands, in any case. One beyond ASCII is one kind somewhere, however many bytes it has.
  private static func literal(_ scalar: Unicode.Scalar) -> Part {
    guard let kind = Letter.kind(of: scalar) else { return .unknown }
    return scalar.isASCII ? Part(exact: [[kind]]) : Part(exact: nil, requirement: oneOf(1 << UInt64(kind)))
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
    case "d": return Part(exact: nil, requirement: Self.oneOf(Letter.digits))
    case "D", "w", "W", "s", "S", "h", "H", "v", "V", "R", "N", "X", "t", "n", "r", "f", "e", "a":
      if scalar == "N", next == "{" { throw Unread() }
      return .unknown
    case "p", "P", "x":
      if !take("{") { throw Unread() }
      while let inside = next, inside != "}" {
        if inside == "\\" { throw Unread() }
        place += 1
      }
      if !take("}") { throw Unread() }
      return .unknown
    default:
      let isWord = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
      if isWord || !scalar.isASCII { throw Unread() }
      return Self.literal(scalar)
    }
  }

  private static func oneOf(_ set: UInt64) -> Requirement {
    var requirement = Requirement()
    requirement.texts = (0..<64).filter { set >> $0 & 1 == 1 }.map { [UInt8($0)] }
    requirement.add(set)
    return requirement
  }

  /// The inside of `[…]`.
  private mutating func characterClass() throws(Unread) -> Part {
    var isKnown = !take("^")
    var set: UInt64 = 0
    var isASCII = true
    var isFirst = true
    while let scalar = next, scalar != "]" || isFirst {
      isFirst = false
      place += 1
      var first = scalar
      if scalar == "[", let sign = next, ":.=".unicodeScalars.contains(sign) { throw Unread() }
      if scalar == "\\" {
        guard let escaped = next else { throw Unread() }
        place += 1
        switch escaped {
        case "d":
          set |= Letter.digits
          continue
        case "s", "w", "h", "S", "W", "H", "D":
          isKnown = false
          continue
        default:
          let isWord = ("a"..."z").contains(escaped) || ("A"..."Z").contains(escaped) || ("0"..."9").contains(escaped)
          if isWord || !escaped.isASCII { throw Unread() }
          first = escaped
        }
      }
      var last = first
      if next == "-", place + 1 < scalars.count, scalars[place + 1] != "]" {
        last = scalars[place + 1]
        if last == "\\" || last == "[" { throw Unread() }
        place += 2
      }
      isASCII = isASCII && last.isASCII
      if first == last, let kind = Letter.kind(of: first) {
        set |= 1 << UInt64(kind)
      } else if first.isASCII, last.isASCII, first.value <= last.value {
        for value in first.value...last.value { set |= 1 << UInt64(Letter.kinds[Int(value)]) }
      } else {
        isKnown = false
      }
    }
    if !take("]") { throw Unread() }
    if !isKnown || set == 0 { return .unknown }
    let requirement = Self.oneOf(set)
    return Part(exact: isASCII && set.nonzeroBitCount <= 4 ? requirement.texts : nil, requirement: requirement)
  }
}
