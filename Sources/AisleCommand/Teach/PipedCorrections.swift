import AisleCore
import AisleReporting
import ArgumentParser
import LearnedStrategy

/// Corrections that come from a pipe: lines of item, tab, section or shelf; or JSON objects.
struct PipedCorrections {
  let taxonomy: Taxonomy
  let origin: Origin

  /// A line that is wrong.
  private struct Fault: Error {
    let reason: String
  }

  /// Reads standard input and teaches it, all of it in one transaction.
  ///
  /// - Parameter allOrNothing: Whether nothing is taught if any line is wrong.
  /// - Throws: `CorrectionStoreError`; `StreamError`; `ExitCode` 2 after lines that were wrong.
  func teach(allOrNothing: Bool, _ store: CorrectionStore) throws {
    let (corrections, faults) = try read(store)
    for fault in faults { Descriptor.standardError.tell("aisle: standard input:\(Style.visible(fault))\n") }
    if allOrNothing, !faults.isEmpty {
      Descriptor.standardError.tell("aisle: nothing was saved; fix \(faults.count == 1 ? "this line" : "these lines")\n")
      throw ExitCode(2)
    }
    let (outcome, _) = try store.take(corrections, winner: .taken, as: "correct \(counted(corrections.count))", time: origin.time)
    try TextTable.write(corrections.map { [$0.item, $0.section].map(Style.visible) })
    Descriptor.standardError.tell("corrections: \(outcome.summary)\n")
    if !faults.isEmpty { throw ExitCode(2) }
  }

  /// The corrections, and what is wrong with other lines: `LINE: reason`.
  private func read(_ store: CorrectionStore) throws -> (corrections: [Correction], faults: [String]) {
    var (corrections, faults): ([Correction], [String]) = ([], [])
    let lines = try JSONLines.contents("-").split(separator: 0x0A, omittingEmptySubsequences: false)
    for (number, line) in zip(1..., lines) {
      let line = line.last == 0x0D ? line.dropLast() : line
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      do {
        let correction = try correction(line)
        if let reason = store.fault(of: correction) { throw Fault(reason: reason) }
        corrections.append(correction)
      } catch let fault as Fault {
        faults.append("\(number): \(fault.reason)")
      } catch let fault as JSONFault {
        faults.append("\(number): \(fault.message)")
      } catch let failure as CommandFailure {
        faults.append("\(number): \(failure.description)")
      }
    }
    return (corrections, faults)
  }

  private func correction(_ line: ArraySlice<UInt8>) throws -> Correction {
    let (item, place) = try line.first == UInt8(ascii: "{") ? object(line) : columns(line)
    let (section, shelf) = try SectionName.findSectionOrShelf(place, in: taxonomy)
    return Correction(store: taxonomy.store, item: item, section: section, shelf: shelf, origin: origin)
  }

  private func object(_ line: ArraySlice<UInt8>) throws -> (item: String, place: String) {
    let fields = try JSONFields(line)
    return (try fields.text("item"), try fields.text("section"))
  }

  private func columns(_ line: ArraySlice<UInt8>) throws -> (item: String, place: String) {
    let columns = line.split(separator: 0x09, maxSplits: 2, omittingEmptySubsequences: false)
    guard columns.count > 1, !columns[0].isEmpty else { throw Fault(reason: "write item, tab, section; or a JSON object") }
    guard let item = String(validating: columns[0], as: UTF8.self), let place = String(validating: columns[1], as: UTF8.self)
    else {
      throw Fault(reason: "the line is not valid UTF-8")
    }
    return (item, place)
  }
}
