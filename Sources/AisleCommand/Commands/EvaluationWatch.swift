import AisleCatalog
import AisleCore
import AisleEvaluation
import AisleFiles
import AisleReporting

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Scores again whenever a file that matters changes, and says what flipped since the run before, or since a baseline.
struct EvaluationWatch {
  let options: EvaluationOptions
  let baseline: String?
  let color: ColorChoice

  /// How often the files are looked at, in milliseconds: a look costs a `stat` a file.
  private static let interval: Int32 = 60

  /// Watches until a signal ends it.
  ///
  /// - Throws: `Interruption`; what makes the first run impossible.
  @MainActor
  func run() async throws {
    let environment = Environment.all
    let text = TextReporter(style: color.style(for: .standardOutput, environment: environment))
    let diagnostics = Diagnostics(style: color.style(for: .standardError, environment: environment))
    var before = try baseline.map { try BaselineFile.read($0) }
    let files = try WatchedFiles(locator: options.chain.stores.locate(), corpus: options.corpusPaths())
    var seen = files.stamp
    var isFirst = true
    while true {
      do {
        let prepared = try options.prepare()
        let evaluation = try await prepared.evaluator.evaluate(prepared.chain, comparesStrategies: false)
        let after = Baseline(evaluation, tool: AisleCommand.version)
        var output = ""
        if let before {
          output = text.render(try Comparison(from: before, to: after, seed: options.seed))
        }
        output += "\(Figures.percent(after.accuracy.value)) of \(Figures.count(after.accuracy.total)) items right\n"
        if isFirst { output += "watching \(files.description); Ctrl-C ends\n" }
        try output.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
        if baseline == nil || before == nil { before = after }
      } catch let error where !isFirst && !(error is Interruption) && !(error is StreamError) {
        // A file that is broken while it is being edited is said, and looked at again when it is saved.
        diagnostics.error("\(error)")
      }
      isFirst = false
      seen = try wait(for: files, since: seen)
    }
  }

  /// Waits for a change.
  private func wait(for files: WatchedFiles, since seen: UInt64) throws -> UInt64 {
    while true {
      var polled = pollfd(fd: Interruption.wakeUp, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, Self.interval)
      try Interruption.check()
      let stamp = files.stamp
      if stamp != seen { return stamp }
    }
  }
}

/// The files that an evaluation is made of.
struct WatchedFiles {
  private let folders: [String]
  private let files: [String]
  let description: String

  init(locator: StoreLocator, corpus: [String]) {
    var folders = corpus.filter(FileReader.isFolder)
    files = corpus.filter { !FileReader.isFolder($0) }
    description = ([locator.description] + corpus).joined(separator: ", ")
    if case .folder(let folder) = locator.source {
      folders += [folder.path, folder.path + "/shelves", folder.path + "/patterns"]
    }
    self.folders = folders
  }

  /// A number that changes when a file changes, comes or goes.
  var stamp: UInt64 {
    FileStamp.of(folders.flatMap { folder in (FileReader.list(folder) ?? []).map { "\(folder)/\($0)" } } + files)
  }
}
