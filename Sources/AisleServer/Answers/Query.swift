import Hummingbird
import HummingbirdCore

/// What follows the question mark of a request's address.
struct Query {
  private let parameters: Parameters

  private typealias Parameters = FlatDictionary<Substring, Substring>

  init(_ request: Request) { self.init(request.uri.query ?? "") }

  /// What a form sends as its body.
  ///
  /// - Throws: `Problem`.
  init(form request: Request) async throws {
    self.init(String(buffer: try await request.bytes(type: "application/x-www-form-urlencoded")))
  }

  private init(_ text: String) {
    // Forms write a space as a plus.
    parameters = URI("/?" + text.replacing("+", with: "%20")).queryParameters
  }

  /// A text; `nil` where it is not there.
  func text(_ name: String) -> String? { parameters[name[...]].map(String.init) }

  /// A whole number; `nil` where it is not there.
  ///
  /// - Throws: `Problem` for one out of range.
  func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let most = range.upperBound == .max ? "or more" : "to \(range.upperBound)"
      throw Problem(.badRequest, "`\(name)` must be a whole number, \(range.lowerBound) \(most)")
    }
    return number
  }
}
