/// Prices of models: one line per model, with fields separated by tabs or spaces, and `#` before comments.
public struct PriceList: Sendable {
  private var prices: [(pattern: String, price: ModelPrice)] = []

  /// The built-in list; see `builtInText`.
  public static let builtIn = parse(builtInText).list

  /// A list that is read from a text, and the lines that are not prices, with the reasons.
  public static func read(_ text: String) -> (list: PriceList, faults: [(line: Int, message: String)]) { parse(text) }

  private init(_ prices: [(pattern: String, price: ModelPrice)]) { self.prices = prices }

  /// The price of a model: that of its own line, otherwise of the longest line ending in `*` that matches it; `nil` if there is
  /// none.
  public func price(of model: String) -> ModelPrice? {
    if let exact = prices.last(where: { $0.pattern == model }) { return exact.price }
    return prices.filter { $0.pattern.hasSuffix("*") && model.hasPrefix($0.pattern.dropLast()) }
      .max { $0.pattern.utf8.count < $1.pattern.utf8.count }?.price
  }

  /// This list with the lines of another list before its own.
  public func overridden(by other: PriceList) -> PriceList {
    let names = Set(other.prices.map(\.pattern))
    return PriceList(prices.filter { !names.contains($0.pattern) } + other.prices)
  }

  private static func parse(_ text: String) -> (list: PriceList, faults: [(line: Int, message: String)]) {
    var prices: [(pattern: String, price: ModelPrice)] = []
    var faults: [(line: Int, message: String)] = []
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let fields = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
      if fields.isEmpty { continue }
      let figures = fields.dropFirst().map { Double($0) }
      guard figures.count == 2 || figures.count == 4, let input = figures[0] ?? nil, let output = figures[1] ?? nil,
        figures.allSatisfy({ $0.map { (0...1_000_000).contains($0) } ?? false })
      else {
        faults.append((number + 1, "write MODEL and the dollars per million input and output tokens, e.g. `my-model 0.25 1.25`"))
        continue
      }
      let read = figures.count == 4 ? figures[2] ?? input : input
      let write = figures.count == 4 ? figures[3] ?? input : input
      prices.append((String(fields[0]), ModelPrice(input: input, output: output, cacheRead: read, cacheWrite: write)))
    }
    return (PriceList(prices), faults)
  }
}
