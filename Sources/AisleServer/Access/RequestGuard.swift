import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Ends connections that send a body too slowly, and tells those that send no HTTP what is wrong. (Connections that send no request, or a
/// head too slowly, end for being idle.)
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// How long a body may take.
  private static let limit = TimeAmount.seconds(30)

  private let form = RequestForm()
  private var deadline: Scheduled<Void>?
  /// Whether a body has begun and not ended.
  private var isReading = false
  /// How many requests have begun and are not answered.
  private var waiting = 0
  /// Whether an answer has begun and not ended.
  private var isAnswering = false

  func handlerAdded(context: ChannelHandlerContext) {
    let operations = context.pipeline.syncOperations
    guard let codec = try? operations.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
    try? operations.addHandler(form, position: .before(codec))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      waiting += 1
      isReading = true
    case .body: break
    case .end:
      isReading = false
      deadline?.cancel()
      deadline = nil
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    // Nearly every request comes whole, and needs none.
    if isReading, deadline == nil {
      let channel = context.channel
      deadline = context.eventLoop.scheduleTask(in: Self.limit) { channel.close(promise: nil) }
    }
    context.fireChannelReadComplete()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head: isAnswering = true
    case .body: break
    case .end:
      isAnswering = false
      waiting -= 1
      if form.isOld { return context.writeAndFlush(data).assumeIsolated().whenComplete { _ in context.close(promise: promise) } }
    }
    context.write(data, promise: promise)
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }

  /// What cannot be read is answered here, and nothing that follows it is looked at.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
    // In the middle of an answer, or with others before this one, another one could not be told from them.
    if !isAnswering, waiting <= 1 {
      let isLong = error == .headerOverflow
      let problem = Problem(
        isLong ? .requestHeaderFieldsTooLarge : .badRequest,
        isLong ? "the headers are longer than 32 KiB, or one than 16 KiB; send less" : "the request is not HTTP/1.1 (RFC 9112)",
        [.connection: "close"])
      let (head, body) = problem.parts
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.write(wrapOutboundOut(.body(body)), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
    context.close(promise: nil)
  }
}

/// What of a request's first line is not known behind the codec: its version, and whether it names another server. What every answer says, it
/// adds to each.
private final class RequestForm: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// What every answer says.
  private static let fields = [
    (
      "Content-Security-Policy",
      """
      default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; \
      frame-ancestors 'none'; base-uri 'none'
      """
    ), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
  ]

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
    head.headers.add(contentsOf: Self.fields)
    if !head.headers.contains(name: "Cache-Control") { head.headers.add(name: "Cache-Control", value: "no-store") }
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}
