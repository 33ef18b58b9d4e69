import Hummingbird
import LearnedStrategy
import ServiceLifecycle
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `GET /v1/events`: what changes, as it happens, by server-sent events.
final class EventRoute: Service {
  private let corrections: CorrectionRoom
  private let stores: StoreRoom
  private let warn: @Sendable (String) -> Void
  private let listeners = Mutex<[Int: AsyncStream<String>.Continuation]>([:])
  private let number = Atomic<Int>(0)

  /// Who listens at once; more are refused.
  private static let most = 200
  /// How many events wait for a slow listener; it loses the oldest.
  private static let waiting = 64
  /// How often a line is sent where nothing happens, so that connections are kept.
  private static let pause = Duration.seconds(15)

  init(_ corrections: CorrectionRoom, _ stores: StoreRoom, warn: @escaping @Sendable (String) -> Void) {
    (self.corrections, self.stores, self.warn) = (corrections, stores, warn)
  }

  /// Tells listeners what changes, until the server ends.
  func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self.followCorrections() }
        group.addTask { await self.stores.follow { self.tell("stores", #"{"store":"\#($0)"}"#) } }
        group.addTask { while (try? await Task.sleep(for: Self.pause)) != nil { self.send(": still here\n\n") } }
      }
    }
  }

  private func followCorrections() async {
    for await change in CorrectionChanges(corrections.path, report: warn) {
      if !change.items.isEmpty {
        if let items = try? JSONEncoder.answers.encode(["items": change.items]) {
          tell("corrections", String(decoding: items, as: UTF8.self))
        }
      }
      if change.hasNewSuggestions { tell("suggestions", "{}") }
    }
  }

  private func tell(_ event: String, _ data: String) { send("event: \(event)\ndata: \(data)\n\n") }

  private func send(_ text: String) {
    for listener in listeners.withLock({ Array($0.values) }) { listener.yield(text) }
  }

  /// Begins to tell somebody.
  ///
  /// - Parameter mayGoOn: Asked before each event; the first `false` ends them.
  func answer(while mayGoOn: @escaping @Sendable () async -> Bool) throws -> Response {
    let (events, listener) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(Self.waiting))
    let number = number.add(1, ordering: .relaxed).newValue
    let isRoom = listeners.withLock { listeners in
      guard listeners.count < Self.most else { return false }
      listeners[number] = listener
      return true
    }
    guard isRoom else {
      throw Problem(.serviceUnavailable, "too many listeners; try again later", [.retryAfter: "30"])
    }
    listener.onTermination = { [weak self] _ in _ = self?.listeners.withLock { $0.removeValue(forKey: number) } }
    listener.yield(": hello\n\n")
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream"],
      body: ResponseBody { writer in
        defer { listener.finish() }
        // A connection that is listened on would else keep the server from ending.
        for await event in events.cancelOnGracefulShutdown() {
          guard await mayGoOn() else { break }
          try await writer.write(ByteBuffer(string: event))
        }
        try await writer.finish(nil)
      })
  }
}
