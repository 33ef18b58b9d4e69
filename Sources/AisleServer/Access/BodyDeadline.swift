import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Ends connections that send a body too slowly. (Those that send no request, or a head too slowly, end for being idle.)
final class BodyDeadline: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart

  /// How long a body may take.
  private static let limit = TimeAmount.seconds(30)

  private var deadline: Scheduled<Void>?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      let channel = context.channel
      deadline = context.eventLoop.scheduleTask(in: Self.limit) { channel.close(promise: nil) }
    case .body: break
    case .end: deadline?.cancel()
    }
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }
}
