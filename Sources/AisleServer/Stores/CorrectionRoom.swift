import AisleCore
import LearnedStrategy
import NIOPosix

/// The corrections' file, whose calls wait for the disk: they run on threads of their own.
struct CorrectionRoom: Sendable {
  /// The file, which need not be there yet.
  let path: String
  private let threads: NIOThreadPool

  init(path: String) {
    self.path = path
    threads = NIOThreadPool(numberOfThreads: 4)
    threads.start()
  }

  /// Changes the file: what was changed is on the disk when the call returns.
  ///
  /// - Parameter store: The store that the change is about: its next answer knows it.
  /// - Throws: `CorrectionStoreError`; what `body` throws.
  func change<Result: Sendable>(
    for store: ServedStore, _ body: @escaping @Sendable (CorrectionStore) throws(CorrectionStoreError) -> Result
  ) async throws -> Result {
    try await threads.runIfActive { [path] in
      if let learned = store.learned { return try learned.change(body) }
      return try body(CorrectionStore(path))
    }
  }

  /// Reads the file.
  ///
  /// - Returns: `nil` where there is none yet.
  /// - Throws: `CorrectionStoreError`; what `body` throws.
  func read<Result: Sendable>(_ body: @escaping @Sendable (CorrectionStore) throws -> Result) async throws -> Result? {
    try await threads.runIfActive { [path] in
      do { return try body(CorrectionStore(path, access: .reading)) } catch let error as CorrectionStoreError {
        if error.kind == .missing { return nil }
        throw error
      }
    }
  }
}
