import AisleCore

/// What a model is asked in one request, however its API has it.
struct Inquiry: Sendable {
  /// What the model is told.
  let system: String
  /// What it is asked: the items, or what to do with a photo.
  let message: String
  /// The items.
  var questions: [Question] = []
  /// The photo, a JPEG in Base64.
  var photo: String?
  /// The form of the answer.
  let schema: JSONValue
  /// The name of the schema, and of the tool that the model must call instead.
  let toolName: String
  /// What the tool is for.
  let toolSummary: String
  /// The most tokens of the answer.
  let answerTokens: Int
  /// How much the model is to reason; `nil` to leave that to the model.
  let effort: Effort?

  /// The media type of photos.
  static let mediaType = "image/jpeg"
}
