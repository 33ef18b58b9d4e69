import NIOCore

/// Answers a connection's plain requests before the codec sees them, as long as they come one at a time and whole; everything else passes.
final class ShortWayHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Where what comes goes.
  private enum State {
    /// Nothing is under way behind this handler: a plain request is answered here.
    case open
    /// A plain request was passed on, and so many bytes of it are still to come.
    case passing(left: Int)
    /// Something else was sent, so that it is not known here where a request begins. All passes from now on.
    case closed
  }

  private let way: ShortWay
  private var state = State.open
  private var head = AnswerHead()
  /// When a request was answered here last.
  private(set) var lastAnswer = NIODeadline.distantPast

  init(_ way: ShortWay) { self.way = way }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    switch state {
    case .open:
      guard let answer = answer(bytes, context) else { break }
      lastAnswer = .now()
      return context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    case .passing(let left): state = left < bytes.readableBytes ? .closed : .passing(left: left - bytes.readableBytes)
    case .closed: break
    }
    context.fireChannelRead(data)
  }

  /// The answer to a request, with its head; `nil` for bytes that pass.
  private func answer(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) -> ByteBuffer? {
    let answer = bytes.withUnsafeReadableBytes { bytes -> ByteBuffer? in
      let bytes = bytes.bindMemory(to: UInt8.self)
      guard let request = PlainRequest(bytes), request.body.upperBound >= bytes.count else {
        state = .closed
        return nil
      }
      state = .passing(left: request.body.upperBound - bytes.count)
      // A client that does not read its answers waits for them on the long way.
      guard request.body.upperBound == bytes.count, context.channel.isWritable else { return nil }
      return way.answer(request, UnsafeBufferPointer(rebasing: bytes[request.body]), after: AnswerHead.room)
    }
    guard var answer else { return nil }
    state = .open
    head.put(before: &answer)
    return answer
  }

  /// Hears that all requests that were passed on are answered.
  func ended() { if case .passing(left: 0) = state { state = .open } }
}
