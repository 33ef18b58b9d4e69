import AisleCore
import HTTPTransport

/// A list app's own server: items go in with the section they have now, and come back with the section they should have.
struct ProxyDialect: Dialect {
  /// The section that undecided items have now.
  let fallback: String

  var path: String { "" }

  /// The API has one form.
  var form: AnswerForm { .text }
  var alternative: (any Dialect)? { nil }

  func headers(_ key: Secret?) -> [HTTPRequest.Header] {
    [HTTPRequest.Header("content-type", "application/json")]
      + (key.map { [HTTPRequest.Header("authorization", prefix: "Bearer ", secret: $0)] } ?? [])
  }

  func body(_ inquiry: Inquiry) -> JSONValue {
    if let photo = inquiry.photo {
      return ["action": "analyze", "imageBase64": .text(photo), "mediaType": .text(Inquiry.mediaType)]
    }
    let items = inquiry.questions.enumerated().map { place, question -> JSONValue in
      [
        "id": .text(Question.id(place)), "name": .text(question.text),
        "category": .text(question.present.flatMap { $0.isEmpty ? nil : $0 } ?? fallback),
      ]
    }
    return ["action": "sanity_check", "items": .array(items)]
  }

  func ending(_ body: JSONValue, tool: String) throws(ModelFailure) -> AnswerEnding {
    guard ["items", "sections"].contains(where: { body[$0]?.elements != nil }) else {
      throw ModelFailure(.badReply, "the answer has no sections and no items")
    }
    return AnswerEnding(answers: [body], claim: UsageClaim(answerBytes: body.bytes.count))
  }

  func fault(_ body: JSONValue) -> (type: String, message: String) {
    let type = body["error"]?.string ?? ""
    guard type == "scan_limit_reached" else { return (type, body["message"]?.string ?? "") }
    let (used, limit) = (body["scansUsed"]?.count, body["scanLimit"]?.count)
    func text(_ count: Int?) -> String { count.map { "\($0)" } ?? "all" }
    let left = used.flatMap { used in limit.map { ", \(max(0, $0 - used)) left" } } ?? ""
    let remedy = body["upgradeRequired"] == true ? "; subscribe in the app, or wait for the next month" : ""
    return (type, "\(text(used)) of \(text(limit)) scans have been used\(left)\(remedy)")
  }
}
