import AisleCore
import Hummingbird
import LearnedStrategy

/// What is wrong with a request, or was with answering it, as RFC 9457 writes it.
struct Problem: Error, Sendable {
  let status: HTTPResponse.Status
  /// What is wrong and what to do, in one line.
  let detail: String
  var headers: HTTPFields = [:]

  init(_ status: HTTPResponse.Status, _ detail: String, _ headers: HTTPFields = [:]) {
    (self.status, self.detail, self.headers) = (status, detail, headers)
  }

  /// The problem that an error of the libraries is to whoever asked.
  init(_ error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case let error as CorrectionStoreError where error.kind == .invalid: self.init(.unprocessableContent, error.reason)
    case let error as CorrectionStoreError where error.kind == .busy:
      self.init(.serviceUnavailable, error.reason, [.retryAfter: "1"])
    case let error as CorrectionStoreError: self.init(.internalServerError, "the corrections: \(error.reason)")
    case let error as any HTTPResponseError: self.init(error.status, "the request cannot be answered (\(error.status))")
    default: self.init(.internalServerError, "\(error)")
    }
  }

  /// As it is sent.
  var response: Response { Response(status: status, headers: fields, body: .init(byteBuffer: body)) }

  /// As it is sent by what is below requests and responses.
  var parts: (head: HTTPResponse, body: ByteBuffer) {
    let body = body
    var fields = fields
    fields[.contentLength] = "\(body.readableBytes)"
    return (HTTPResponse(status: status, headerFields: fields), body)
  }

  private var fields: HTTPFields {
    var fields = headers
    fields[.contentType] = "application/problem+json"
    return fields
  }

  private var body: ByteBuffer {
    let writer = JSONLineWriter()
    writer.add([
      ("type", .text("about:blank")), ("title", .text(status.reasonPhrase)), ("status", .whole(status.code)),
      ("detail", .text(detail)),
    ])
    return ByteBuffer(bytes: writer.bytes)
  }
}
