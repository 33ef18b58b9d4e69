import AisleFiles
import Hummingbird
import NIOCore

/// Who sent a request, and what they may do.
struct Caller: Sendable {
  /// The token's name; `nil` for somebody on this machine who sent none.
  let name: String?
  let permission: Permission
  /// Whether photos are read for them without limit.
  var isSubscriber = true
}

/// What is known of a request while it is answered.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  private let peer: SocketAddress?

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    peer = source.channel.remoteAddress
  }

  /// The address that it came from.
  var address: String { peer?.ipAddress ?? "" }
}

extension Caller {
  /// Who is said to have done what was asked: who the token belongs to, else who the request names.
  func person(_ named: String?) -> String { name ?? named.flatMap { $0.isEmpty ? nil : $0 } ?? "someone" }
}
