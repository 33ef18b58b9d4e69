import AisleCore
import Hummingbird
import NIOCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a request may hold at most.
enum Limits {
  /// Of a body, in bytes.
  static let body = 1 << 20
  /// Of items in one request.
  static let items = 10_000
}

extension Request {
  /// The whole body.
  ///
  /// - Throws: `Problem` for one that is too long, compressed, or of another type than the one wanted.
  func bytes(type: String = "application/json") async throws -> ByteBuffer {
    guard let given = headers[.contentType], given == type || Self.isMeant(given, type) else {
      throw Problem(.unsupportedMediaType, "send the header `Content-Type: \(type)`")
    }
    guard headers[.contentEncoding] == nil else {
      throw Problem(.unsupportedMediaType, "send the body as it is, without `Content-Encoding`")
    }
    let isLong = headers[.contentLength].flatMap { Int($0) }.map { $0 > Limits.body } ?? false
    do {
      if isLong { throw NIOTooManyBytesError(maxBytes: Limits.body) }
      return try await body.collect(upTo: Limits.body)
    } catch is NIOTooManyBytesError {
      // What follows is not read, so the connection is of no more use.
      throw Problem(
        .contentTooLarge, "the body is longer than \(Limits.body >> 20) MiB; send the items in several requests",
        [.connection: "close"])
    }
  }

  /// Whether a content type with parameters, in other letters, or of a kind of JSON is one that is wanted.
  private static func isMeant(_ given: String, _ type: String) -> Bool {
    let given = given.prefix { $0 != ";" }.lowercased().trimmingPrefix { $0 == " " }
    return given == type || type == "application/json" && given.hasPrefix("application/") && given.hasSuffix("+json")
  }

  /// The body as JSON of a type.
  ///
  /// - Throws: `Problem`.
  func json<Content: Decodable>(_ type: Content.Type) async throws -> Content {
    let body = try await bytes()
    do { return try JSONDecoder().decode(type, from: body) } catch let error as DecodingError {
      throw Problem(error, isJSON: Self.isJSON(body))
    }
  }

  /// Whether a body is JSON, whatever is in it.
  static func isJSON(_ body: ByteBuffer) -> Bool {
    body.withUnsafeReadableBytes { bytes in
      let bytes = bytes.bindMemory(to: UInt8.self)
      var scanner = JSONScanner(bytes)
      do throws(JSONFault) {
        try scanner.skipValue()
        try scanner.end()
      } catch { return false }
      return String(validating: bytes, as: UTF8.self) != nil
    }
  }
}

extension Problem {
  init(_ error: DecodingError, isJSON: Bool) {
    func place(_ context: DecodingError.Context, _ last: (any CodingKey)? = nil) -> String {
      let path = (context.codingPath + [last].compactMap(\.self)).reduce(into: "") { text, key in
        text += key.intValue.map { "[\($0)]" } ?? (text.isEmpty ? "" : ".") + key.stringValue
      }
      return path.isEmpty ? "the body" : "`\(path)`"
    }
    func name(_ type: Any.Type) -> String {
      switch type {
      case is String.Type: "a text"
      case is Int.Type: "a whole number"
      case is Double.Type, is Float.Type: "a number"
      case is Bool.Type: "true or false"
      case is any Collection.Type: "an array"
      default: "an object"
      }
    }
    switch error {
    case .keyNotFound(let key, let context): self.init(.unprocessableContent, "\(place(context, key)) is missing")
    case .typeMismatch(let type, let context): self.init(.unprocessableContent, "\(place(context)) must be \(name(type))")
    case .valueNotFound(let type, let context):
      self.init(.unprocessableContent, "\(place(context)) must be \(name(type)), not null")
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      self.init(.unprocessableContent, "\(place(context)): \(context.debugDescription)")
    case .dataCorrupted(let context) where isJSON:
      self.init(.unprocessableContent, "the body: \(context.debugDescription)")
    default: self.init(.badRequest, "the body is not JSON (RFC 8259)")
    }
  }
}

extension Response {
  /// An answer as JSON.
  init(json content: some Encodable) throws {
    self.init(json: ByteBuffer(bytes: try JSONEncoder.answers.encode(content)))
  }

  /// An answer that is JSON already.
  init(json bytes: ByteBuffer) {
    self.init(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: bytes))
  }
}

extension JSONEncoder {
  /// Writes values as answers have them.
  static var answers: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    return encoder
  }
}
