import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Ends connections that send nothing, or a request too slowly, and tells those that send no HTTP what is wrong.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// How long a body may take.
  private static let limit = TimeAmount.seconds(30)
  /// How long a connection may send nothing while nothing is being answered, or the head of a request take.
  private static let patience = TimeAmount.seconds(20)

  private let form = RequestForm()
  private let shortWay: ShortWayHandler?
  private var deadline: Scheduled<Void>?
  private var watch: Scheduled<Void>?
  private var lastRead = NIODeadline.now()
  /// Whether a body has begun and not ended.
  private var isReading = false
  /// How many requests have begun and are not answered.
  private var waiting = 0
  /// Whether an answer has begun and not ended.
  private var isAnswering = false

  init(_ shortWay: ShortWay?) { self.shortWay = shortWay.map { ShortWayHandler($0) } }

  func handlerAdded(context: ChannelHandlerContext) {
    watch(context, for: Self.patience)
    let operations = context.pipeline.syncOperations
    guard let codec = try? operations.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
    try? operations.addHandler(form, position: .before(codec))
    guard let shortWay, let encoder = try? operations.handler(type: HTTPResponseEncoder.self) else { return }
    try? operations.addHandler(shortWay, position: .before(encoder))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Of a head only when it is whole: one that comes byte by byte is no sign of life.
    lastRead = .now()
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
    if waiting == 0, !isAnswering { shortWay?.ended() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    watch?.cancel()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { watch?.cancel() }

  /// Looks after a time whether the connection has been idle for too long.
  private func watch(_ context: ChannelHandlerContext, for time: TimeAmount) {
    watch = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
      let idle = NIODeadline.now() - max(lastRead, shortWay?.lastAnswer ?? lastRead)
      // While an answer is made or sent, the other side has nothing to say.
      let isBusy = waiting > 0 && !isReading
      if !isBusy, idle >= Self.patience { return context.close(promise: nil) }
      watch(context, for: isBusy ? Self.patience : Self.patience - idle)
    }
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
