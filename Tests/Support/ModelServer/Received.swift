import AisleCore

/// A request as it came in.
public struct Received: Sendable {
  /// The method, e.g. `POST`.
  public let method: String
  /// The path with its query.
  public let path: String
  /// The headers, their names in lower case.
  public let headers: [String: String]
  /// The body.
  public let body: [UInt8]
  /// Its number, from 0.
  public let number: Int
  /// The items that it asks about, by its own words.
  public internal(set) var items: [AnswerItem] = []
  /// Other items of the list, which it does not ask about.
  public internal(set) var context: [String] = []
  /// The photo that it is about.
  public internal(set) var photo: SentPhoto?
  /// Why it was rejected, where it was.
  public internal(set) var fault: String?

  /// The most tokens that it lets the answer have; 0 where it does not say.
  public var answerLimit: Int {
    let body = try? JSONValue(body)
    return (body?["max_tokens"] ?? body?["max_completion_tokens"])?.count ?? 0
  }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }
}

/// A photo as it came in.
public struct SentPhoto: Sendable, Hashable {
  /// Its media type.
  public let type: String
  /// The image in Base64.
  public let data: String

  /// Makes a photo.
  public init(type: String, data: String) {
    self.type = type
    self.data = data
  }
}
