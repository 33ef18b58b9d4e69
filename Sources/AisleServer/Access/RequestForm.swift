import NIOCore
import NIOHTTP1

/// What of a request's first line is not known behind the codec: its version, and whether it names another server. What every answer says, it
/// adds to each.
final class RequestForm: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// What every answer says: that it is what its type says, and kept nowhere unless it says how.
  static let type = ("X-Content-Type-Options", "nosniff")
  static let caching = ("Cache-Control", "no-store")

  /// Whether the request is of HTTP/1.0, whose clients wait for the end of the connection.
  private(set) var isOld = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      isOld = head.version.major < 1 || head.version.major == 1 && head.version.minor < 1
      if !head.uri.hasPrefix("/"), head.uri != "*" { return context.fireErrorCaught(HTTPParserError.invalidURL) }
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    head.headers.add(name: Self.type.0, value: Self.type.1)
    if !head.headers.contains(name: Self.caching.0) { head.headers.add(name: Self.caching.0, value: Self.caching.1) }
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}
