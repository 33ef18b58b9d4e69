import AisleCore
import AisleKit
import Hummingbird

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `POST /v1/categorize`: where items belong. Texts go in and come out as they were written.
struct CategorizeRoute: Sendable {
  let stores: StoreRoom
  let metrics: ServerMetrics

  func answer(_ request: Request) async throws -> Response {
    let body = try await request.bytes()
    let question = try body.withUnsafeReadableBytes { try Question($0.bindMemory(to: UInt8.self)) }
    let store = try await stores.readyStore(
      question.store, in: question.language, for: question.texts(stores.asksLists(question.language)))
    var batch = question.batch(for: store.taxonomy)
    try await store.chain.ask(&batch)
    metrics.add(items: batch.count)
    return Response(json: try body.withUnsafeReadableBytes { try write(question, batch, store, $0) })
  }

  /// The answer to a body where nothing has to be waited for, or opened; `nil` where it does, or is no sound question.
  ///
  /// - Parameter room: How many bytes of no meaning the answer begins with.
  func answerAtOnce(_ body: UnsafeBufferPointer<UInt8>, after room: Int) -> ByteBuffer? {
    guard let question = try? Question(body) else { return nil }
    let list = question.texts(stores.asksLists(question.language))
    guard let store = stores.known(question.store, in: question.language, for: list), let chain = store.local else { return nil }
    var batch = question.batch(for: store.taxonomy)
    chain.decide(&batch)
    guard let answer = try? write(question, batch, store, UnsafeRawBufferPointer(body), after: room) else { return nil }
    metrics.add(items: batch.count)
    return answer
  }

  // MARK: Writing

  private func write(
    _ question: Question, _ batch: Batch, _ store: ServedStore, _ body: UnsafeRawBufferPointer, after room: Int = 0
  ) throws -> ByteBuffer {
    var output = ByteBuffer()
    output.reserveCapacity(room + batch.count * 160 + 64)
    output.writeRepeatingByte(0, count: room)
    output.writeStaticString("{\"store\":\"")
    output.writeString(store.id)
    output.writeStaticString("\",\"results\":[")
    let encoder = question.isExplained ? JSONEncoder.answers : nil
    for (index, item) in question.items.enumerated() {
      if index > 0 { output.writeStaticString(",") }
      if let encoder {
        let answer = Answer(index, in: batch, sections: store.sections, strategies: store.strategies)
        output.writeBytes(try encoder.encode(answer).dropLast())
      } else {
        write(item, batch.decisions[index], store, body, to: &output)
      }
      if let record = item.record {
        output.writeStaticString(",\"record\":")
        output.writeBytes(body[record])
      }
      output.writeStaticString("}")
    }
    output.writeStaticString("]}")
    return output
  }

  private func write(
    _ item: Question.Item, _ decision: Decision?, _ store: ServedStore, _ body: UnsafeRawBufferPointer,
    to output: inout ByteBuffer
  ) {
    output.writeStaticString("{\"item\":")
    output.writeBytes(body[item.written])
    output.writeStaticString(",")
    output.writeBytes(store.fields[store.place(of: decision)])
    output.writeStaticString(",\"confidence\":")
    output.writeString(Explanation.hundredths(decision?.confidence ?? 0))
    output.writeStaticString(",\"strategy\":\"")
    output.writeString(decision?.strategy.map { store.strategies[Int($0.rawValue)].id } ?? "none")
    output.writeStaticString("\"")
  }
}
