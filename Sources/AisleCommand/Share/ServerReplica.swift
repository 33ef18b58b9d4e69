import AisleCatalog
import AisleFiles
import ArgumentParser
import HTTPTransport
import LearnedStrategy

/// A copy of a server's corrections on this machine, which commands use in place of a file.
///
/// It is brought up to date before the command, and what the command changed is sent after it. Where the server cannot be reached, the
/// command goes on with the copy, and the next one sends what is left.
@MainActor
struct ServerReplica {
  private let server: HTTPCorrectionServer
  private let path: String
  private var isReachable = true

  /// The file with the copy of a server's corrections, named after its address; `nil` without a home folder.
  nonisolated static func path(_ url: HTTPURL) -> String? {
    let address = url.description.drop { $0 != "/" }.dropFirst(2)
    let name = address.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }
    return DataFolder.standard.map { "\($0)/servers/\(String(name)).db" }
  }

  /// Brings the copy up to date; `nil` where no server is used.
  ///
  /// - Parameter options: What the command line says; `nil` for nothing.
  /// - Throws: `ValidationError` for a server beside a file; `CommandFailure`; `ServerFailure` where the server does not let us in.
  init?(_ options: CorrectionOptions?) async throws {
    let (db, named) = (options?.db, options?.server.server)
    if db != nil, named != nil { throw ValidationError("--server takes the place of --db; use one of them.") }
    guard let url = try Self.server(db, named) else { return nil }
    guard let path = Self.path(url) else {
      throw CommandFailure(description: "no folder for a copy of the server's corrections; set HOME or XDG_DATA_HOME")
    }
    self.path = path
    self.server = try ServerOptions.reach(url, tokenFile: options?.server.tokenFile)
    do { try await exchange { try await $0.pull() } } catch let error as ServerFailure where error.kind == .unreachable {
      isReachable = false
      Diagnostics(style: .plain).error("\(error); continuing with the last known corrections")
    } catch is CorrectionStoreError {
      // The command says what is wrong with the copy, or does without.
      isReachable = false
    }
  }

  /// The server that takes the place of a file; `nil` for none.
  nonisolated static func server(_ db: String?, _ server: String?) throws -> HTTPURL? {
    if db != nil || server == nil && Environment.all["AISLE_DB"]?.isEmpty == false { return nil }
    return try ServerOptions.settle(server)
  }

  private func exchange(_ body: (CorrectionSync) async throws -> CorrectionSync.Report) async throws {
    let sync = CorrectionSync(try CorrectionStore(path), server, clock: { Timestamp.now }) { _ in try Interruption.check() }
    do { _ = try await body(sync) } catch let fault as CorrectionSync.Fault { throw fault.failure(at: server) }
  }

  /// Sends what the command changed.
  ///
  /// - Throws: `ServerFailure` where the server does not accept it; `CorrectionStoreError`.
  func push() async throws {
    guard isReachable, try CorrectionStore(path, access: .reading).pushCount(to: server.name) > 0 else { return }
    do { try await exchange { try await $0.push() } } catch let error as ServerFailure where error.kind == .unreachable {
      Diagnostics(style: .plain).error("\(error); the next command that uses it sends what changed")
    }
  }
}

/// A command that uses corrections.
protocol CorrectionsUser: SendableMetatype {
  /// Where they are.
  var usedCorrections: CorrectionOptions { get }
}

extension CheckCommand: CorrectionsUser { var usedCorrections: CorrectionOptions { chain.corrections } }
extension CategorizeCommand: CorrectionsUser { var usedCorrections: CorrectionOptions { chain.corrections } }
extension CorrectCommand: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension ListCorrections: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension CorrectionHistory: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension ForgetCorrections: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension UndoCorrections: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension ExportCorrections: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension ImportCorrections: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension MergeCorrections: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension ListSuggestions: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension AcceptSuggestions: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension DismissSuggestions: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension ReviewSuggestions: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension ExportSuggestions: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension ImportSuggestions: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension RenameSection: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension EvalCommand: CorrectionsUser { var usedCorrections: CorrectionOptions { options.chain.corrections } }
extension BlessCommand: CorrectionsUser { var usedCorrections: CorrectionOptions { options.chain.corrections } }
extension ShowCorpus: CorrectionsUser { var usedCorrections: CorrectionOptions { options.chain.corrections } }
extension CheckCorpus: CorrectionsUser { var usedCorrections: CorrectionOptions { chain.corrections } }
extension TuneReportCommand: CorrectionsUser { var usedCorrections: CorrectionOptions { options.chain.corrections } }
extension TuneSuggestCommand: CorrectionsUser { var usedCorrections: CorrectionOptions { options.chain.corrections } }
extension TuneTryCommand: CorrectionsUser { var usedCorrections: CorrectionOptions { options.chain.corrections } }
extension TuneWatchCommand: CorrectionsUser { var usedCorrections: CorrectionOptions { options.chain.corrections } }
extension TuneFitCommand: CorrectionsUser { var usedCorrections: CorrectionOptions { chain.corrections } }
extension TrainCommand: CorrectionsUser { var usedCorrections: CorrectionOptions { options.corrections } }
extension LabelCommand: CorrectionsUser { var usedCorrections: CorrectionOptions { chain.corrections } }
extension SubmitBatch: CorrectionsUser { var usedCorrections: CorrectionOptions { options.chain.corrections } }
