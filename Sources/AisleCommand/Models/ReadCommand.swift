import AisleCatalog
import AisleCore
import AisleFiles
import AisleReporting
import ArgumentParser
import LLMStrategy
import Photos
import Synchronization

/// How what was read from a photo is written.
enum ReadFormat: String, CaseIterable, ExpressibleByArgument {
  case list, lines, tsv, jsonl
}

struct ReadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read", abstract: "Read a photo of a handwritten list with a language model.",
    discussion: """
      Sends the photo (jpeg, png, webp, or heic) to a model with vision and prints the items with corrected spelling. The photo is \
      turned upright, made as small as the model wants it, and re-encoded, so that only the picture is sent, without its \
      location or anything else in the file. In a pipe, it prints one item per line, ready for `aisle categorize`. On a terminal, it shows the sections of the paper, each \
      with its type: grocery, meal_plan, crossed_out, or notes. Without --llm, Anthropic is asked; the key is read as in `aisle \
      categorize`.

      Examples:
        aisle read list.jpg
        aisle read list.jpg | aisle categorize
        aisle read list.jpg --sections grocery,meal_plan --format tsv
        aisle read list.heic --llm openai --llm-model gpt-6-luna
        aisle read list.jpg --llm proxy --llm-url https://example.com/lists

      Exit codes: 0 done; 1 the photo has no readable text; 2 the photo is missing, damaged, or in another format, or the model \
      could not be asked; 64 usage.
      """)

  @Argument(
    help: "The photo; `-` reads it from standard input.",
    completion: .file(extensions: ["jpg", "jpeg", "png", "webp", "heic", "heif", "avif"]))
  var photo: String

  @Option(
    help: ArgumentHelp(
      "Types or names of the sections to print, separated by commas (default: all except crossed_out).", valueName: "names"))
  var sections: String?

  @Option(help: "Output format: list, lines, tsv, or jsonl (default: list on a terminal, otherwise lines).")
  var format: ReadFormat?

  @OptionGroup var corrections: CorrectionOptions

  @OptionGroup var stores: StoreOptions

  @OptionGroup var model: ModelOptions

  @Flag(help: "Write the cost to standard error.")
  var summary = false

  func validate() throws {
    if sections?.isEmpty == true { throw ValidationError("--sections needs a name, e.g. grocery.") }
  }

  @MainActor
  func run() async throws {
    let configuration = try stores.configuration()
    let settled = try ModelFlags.settle(model.given, configuration)
    guard let provider = settled.choice == nil ? .anthropic : settled.choice?.value.provider else {
      throw CommandFailure(
        description: "reading a photo needs a language model, which is off (\(settled.choice?.origin ?? "")); use --llm anthropic"
      )
    }
    let photo = try load()
    let settings = try settled.photoSettings(provider, named: model.given?.llmModel, configuration)
    let diagnostics = Diagnostics(style: ColorChoice.auto.style(for: .standardError, environment: Environment.all))
    AisleCommand.modelRecord.use(corrections.settle(configuration).value)
    let remarks = Mutex<[String]>([])
    let reader = ListReader(settings, log: AisleCommand.modelRecord, interruption: Interruption.wakeUp) { remark in
      remarks.withLock { $0.append(remark.replacing("strategy `llm`: ", with: "")) }
    }
    let read: [ReadSection]
    do {
      read = try await Interruption.ending { try await reader.read(photo) }
    } catch let failure as ListReader.Failure {
      throw CommandFailure(description: "\(self.photo): \(failure)")
    } catch let fault as PhotoFault {
      throw FileError(path: name, reason: fault.description)
    }
    for remark in remarks.withLock({ $0 }) { diagnostics.error("\(self.photo): \(remark)") }
    let chosen = try choose(read)
    var text = render(chosen)
    try text.withUTF8 { try Descriptor.standardOutput.write(UnsafeRawBufferPointer($0)) }
    if summary { Descriptor.standardError.tell(ModelSummary.line(settings.model, reader.report) + "\n") }
    if read.isEmpty {
      diagnostics.error("\(self.photo): no text found in the photo")
      throw ExitCode(1)
    }
  }

  /// The file, for messages.
  private var name: String { photo == "-" ? "standard input" : photo }

  /// The photo, or what is wrong with it.
  private func load() throws -> Photo {
    let bytes =
      try photo == "-" ? standardInput() : FileReader.read(photo, limit: Self.limit, remedy: "save the photo smaller")
    if bytes.count > Self.limit { throw FileError(path: name, reason: "the photo has more than 256 MB; save it smaller") }
    do { return try Photo(bytes) } catch { throw FileError(path: name, reason: error.description) }
  }

  private static let limit = 256 << 20

  private func standardInput() throws -> [UInt8] {
    var bytes: [UInt8] = []
    let size = 1 << 16
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
    defer { buffer.deallocate() }
    while bytes.count <= Self.limit {
      let received = try Descriptor.standardInput.read(into: buffer, count: size)
      if received == 0 { break }
      bytes.append(contentsOf: UnsafeRawBufferPointer(start: buffer, count: received))
    }
    return bytes
  }

  /// The sections that were asked for.
  private func choose(_ read: [ReadSection]) throws -> [ReadSection] {
    guard let sections else { return read.filter { $0.kind != .crossedOut } }
    let names = sections.split(separator: ",").map { $0.lowercased().trimmed }
    func isNamed(_ section: ReadSection, _ name: String) -> Bool {
      name == section.kind.rawValue || name == section.name.lowercased()
    }
    let known = ReadSection.Kind.allCases.map(\.rawValue) + read.map(\.name)
    for name in names where !known.contains(where: { $0.lowercased() == name }) {
      let hint = DidYouMean.hint(name, among: known)
      throw CommandFailure(
        description: "no section `\(name)`\(hint.isEmpty ? "; use one of \(DidYouMean.list(known))" : hint)")
    }
    return read.filter { section in names.contains { isNamed(section, $0) } }
  }

  private func render(_ sections: [ReadSection]) -> String {
    let isTerminal = Descriptor.standardOutput.isTerminal
    func shown(_ text: String) -> String { isTerminal ? Style.visible(text) : text }
    switch format ?? (isTerminal ? .list : .lines) {
    case .lines: return sections.flatMap(\.items).map { shown($0) + "\n" }.joined()
    case .tsv:
      return sections.flatMap { section in
        section.items.map { "\(shown($0))\t\(shown(section.name))\t\(section.kind.rawValue)\n" }
      }.joined()
    case .jsonl:
      return sections.flatMap { section in
        section.items.map { item in
          let object: JSONValue = ["item": .text(item), "section": .text(section.name), "type": .text(section.kind.rawValue)]
          return String(decoding: object.bytes, as: UTF8.self) + "\n"
        }
      }.joined()
    case .list:
      let style = ColorChoice.auto.style(for: .standardOutput, environment: Environment.all)
      return sections.map { section in
        "\(style.bold(Style.visible(section.name))) \(style.dim("(\(section.kind.rawValue))"))\n"
          + section.items.map { "  \(Style.visible($0))\n" }.joined()
      }.joined(separator: "\n")
    }
  }
}
