import AisleCatalog
import AisleCore
import HTTPTransport
import LLMStrategy
import Photos

extension DoctorCommand {
  /// What is known of the language model, of the one that reads photos, and of their server.
  func languageModel(_ settled: SettledChain, today: CalendarDay) async throws -> [(State, String, String)] {
    let link = settled.chain.value.links.first(where: \.isModel)
    let written = link?.options.first { $0.name == "provider" }?.value
    guard let provider = written.flatMap({ ModelProvider(rawValue: $0) }) else {
      return [(.off, "language model", "off; --llm or `llm:` in aisle.yaml turns it on")]
    }
    let setup = settled.model.setup
    let text: ModelSettings
    let photo: ModelSettings
    do {
      text = try setup.settings(provider, model: link?.options.first { $0.name == "model" }?.value)
      photo = try settled.model.photoSettings(provider, named: model.given?.llmModel, settled.configuration)
    } catch {
      return [(.wrong, "language model", "\(provider.rawValue): \(error)")]
    }
    let server = offline ? nil : try await ModelProbe.ask(text, interruption: Interruption.wakeUp)
    let by = settled.model.choice.map { " (\($0.origin))" } ?? ""
    var rows: [(State, String, String)] = [
      (.ok, "language model", "\(provider.rawValue), \(Self.name(text)), at \(text.url)\(by)")
    ]
    rows.append((.ok, "key", try key(setup, text)))
    rows += prospects(text, "price", setup.models, server, today)
    if photo.model != text.model {
      rows.append((.ok, "photo model", Self.name(photo)))
      rows += prospects(photo, "photo price", setup.models, server, today)
    }
    rows += photoLibraries()
    do {
      rows.append((.ok, "libcurl", try HTTPClient.libraryVersion()))
    } catch {
      return rows + [(.wrong, "libcurl", "\(error)")]
    }
    // A server of one's own need not have the model that its provider's own has for photos.
    let isPhotoNamed = settled.configuration?.model?.photoModel != nil || photo.url.description == provider.standardURL
    return rows + (server.map { check($0, for: isPhotoNamed ? [text, photo] : [text], setup.models) } ?? [])
  }

  private static func name(_ settings: ModelSettings) -> String { settings.model.isEmpty ? "its own model" : settings.model }

  private func key(_ setup: ModelSetup, _ settings: ModelSettings) throws -> String {
    let key = try setup.key(settings.provider, settings.url).map { "from \($0.origin)" } ?? "none; this machine needs none"
    let withheld = setup.withheldKeys(settings.provider, settings.url).joined(separator: " and ")
    if withheld.isEmpty { return key }
    return key + "; \(withheld) is not sent, because only \(setup.untrustedURLOrigin ?? "") names this address"
  }

  /// What a model costs, and how long it will be there.
  private func prospects(
    _ settings: ModelSettings, _ what: String, _ models: ModelList, _ server: ModelProbe.Finding?, _ today: CalendarDay
  ) -> [(State, String, String)] {
    let known = models[settings.priceName]
    var rows: [(State, String, String)] = []
    if let price = settings.price {
      let isFree = price.input == 0 && price.output == 0
      let read = known?.read.map { ", as of \($0)" } ?? ""
      rows.append(
        (
          .ok, what,
          isFree ? "nothing" : "$\(price.input) per million input tokens, $\(price.output) per million output tokens\(read)"
        ))
    } else if case .ready(_, let program?) = server {
      rows.append((.ok, what, "nothing: \(program) runs the model on this machine"))
    } else {
      let name = settings.priceName
      rows.append(
        (.warn, what, "unknown; write `\(name): INPUT OUTPUT` under `models:` of `llm:` in aisle.yaml to see and cap costs"))
    }
    switch known?.outlook(on: today) {
    case .ending(let day):
      rows.append((.warn, "model ends", "\(settings.model), on \(day); name another with --llm-model or in aisle.yaml"))
    case .ended(let day):
      rows.append((.wrong, "model ended", "\(settings.model), on \(day); name another with --llm-model or in aisle.yaml"))
    case .lasting, nil: break
    }
    return rows
  }

  /// What reads photos, and what of it is missing.
  private func photoLibraries() -> [(State, String, String)] {
    let obstacles = PhotoFormat.allCases.map { ($0.rawValue, Photo.obstacle(to: $0)) }
    let formats = obstacles.filter { $0.1 == nil }.map(\.0)
    let missing = Set(obstacles.compactMap { $0.1?.description }).sorted()
    let ready = formats.isEmpty ? [] : [(State.ok, "photos", formats.joined(separator: ", "))]
    return ready + missing.map { (.warn, "photos", $0) }
  }

  private func check(
    _ server: ModelProbe.Finding, for asked: [ModelSettings], _ known: ModelList
  ) -> [(State, String, String)] {
    let name = "server"
    switch server {
    case .ready(nil, _): return [(.ok, name, "answers")]
    case .ready(let models?, _):
      let missing = asked.map(\.model).filter { model in
        !models.contains { ModelProbe.isSame($0, model) || known[$0].map { $0.name == known[model]?.name } ?? false }
      }
      if missing.isEmpty { return [(.ok, name, "reachable, and has the model")] }
      return Set(missing).sorted().map {
        (.wrong, name, "reachable, but has no model `\($0)`; name one of its models with --llm-model")
      }
    case .rejected(let reason), .unreachable(let reason): return [(.wrong, name, reason)]
    }
  }
}
