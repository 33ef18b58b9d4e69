/// What is known of a language model: a line of `models.txt`, or of a user's own.
public struct KnownModel: Sendable, Hashable {
  /// What a model is asked for.
  public enum Purpose: String, Sendable, CaseIterable {
    case text, photo
  }

  /// Its name in requests.
  public let name: String
  /// Other names of the same model; one that ends in `*` stands for all that begin so.
  public internal(set) var aliases: [String] = []
  /// Whose it is; `nil` if the line does not say.
  public internal(set) var provider: ModelProvider?
  /// The price of its tokens; `nil` if unknown.
  public internal(set) var price: ModelPrice?
  /// For what it is asked where no model is named.
  public internal(set) var purposes: Set<Purpose> = []
  /// The fewest tokens at the start of a request that the provider keeps; `nil` if unknown.
  public internal(set) var cacheableTokens: Int?
  /// The most pixels that it reads on the longer side of a photo; `nil` if unknown.
  public internal(set) var photoSide: Int?
  /// How much it is to reason where nothing else is said; `nil` for a model that does not.
  public internal(set) var effort: Effort?
  /// The last day on which it is there; `nil` if no end is announced.
  public internal(set) var end: CalendarDay?
  /// When the line was read; `nil` if it does not say.
  public internal(set) var read: CalendarDay?

  init(name: String) { self.name = name }

  /// Whether a name is one of the model's.
  func isNamed(_ other: String) -> Bool { other == name || aliases.contains(other) }

  /// The length of the longest beginning of names that fits a name; `nil` where none does.
  func prefixLength(of other: String) -> Int? {
    ([name] + aliases).filter { $0.hasSuffix("*") && other.hasPrefix($0.dropLast()) }.map(\.utf8.count).max()
  }

  /// This line with what another one of the same model leaves open.
  func completed(by other: KnownModel) -> KnownModel {
    var model = self
    model.aliases += other.aliases.filter { !model.isNamed($0) }
    if other.name != name, !model.aliases.contains(other.name) { model.aliases.append(other.name) }
    model.provider = provider ?? other.provider
    model.price = price ?? other.price
    model.purposes = purposes.isEmpty ? other.purposes : purposes
    model.cacheableTokens = cacheableTokens ?? other.cacheableTokens
    model.photoSide = photoSide ?? other.photoSide
    model.effort = effort ?? other.effort
    model.end = end ?? other.end
    model.read = read ?? other.read
    return model
  }
}

extension KnownModel {
  /// How long the model will be there.
  public enum Outlook: Sendable, Hashable {
    /// No end is announced, or it is far.
    case lasting
    /// It ends within `noticeDays`: on this day.
    case ending(CalendarDay)
    /// It ended on this day.
    case ended(CalendarDay)
  }

  /// How many days before its end a model counts as ending.
  public static let noticeDays = 60

  /// How long it will be there, as seen on a day.
  public func outlook(on today: CalendarDay) -> Outlook {
    guard let end else { return .lasting }
    let left = today.days(until: end)
    return left < 0 ? .ended(end) : left <= Self.noticeDays ? .ending(end) : .lasting
  }
}
