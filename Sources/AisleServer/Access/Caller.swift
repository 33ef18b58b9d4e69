import AisleFiles

/// Who sent a request, and what they may do.
struct Caller: Sendable {
  /// The token's name; `nil` for somebody on this machine who sent none.
  let name: String?
  let permission: Permission
  /// Whether photos are read for them without limit.
  var isSubscriber = true
}

extension Caller {
  /// Who is said to have done what was asked: who the token belongs to, else who the request names.
  func person(_ named: String?) -> String { name ?? named.flatMap { $0.isEmpty ? nil : $0 } ?? "someone" }
}
