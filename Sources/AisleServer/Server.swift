import AisleCatalog
import AisleFiles
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import LearnedStrategy
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// `aisle serve`: sections, corrections, and a page to review on, by HTTP.
package struct Server: Sendable {
  private let settings: ServerSettings
  private let stores: StoreRoom
  private let corrections: CorrectionRoom
  private let model: ModelRoom
  private let access: Access
  private let metrics = ServerMetrics()
  private let events: EventRoute
  private let warn: @Sendable (String) -> Void

  /// How long requests that are under way may take once the server is told to end.
  private static let drain = Duration.seconds(5)

  /// Opens what it needs; nothing is listened on yet.
  ///
  /// - Parameter warn: Receives a one-line message, from any thread, about what is wrong and does not end the server.
  /// - Throws: `ServerError`, `FileError`, `BrokenStore`, `ChainError`, `CorrectionStoreError`.
  package init(_ settings: ServerSettings, warn: @escaping @Sendable (String) -> Void) async throws {
    self.settings = settings
    self.warn = warn
    guard let path = settings.chain.corrections.value else {
      throw ServerError("corrections are kept in a file; name one with --db or AISLE_DB")
    }
    stores = try StoreRoom(settings.chain, warn: warn)
    corrections = CorrectionRoom(path: path)
    model = ModelRoom(settings.chain, warn: warn)
    access = try await Access(settings)
    events = EventRoute(corrections, stores, warn: warn)
  }

  /// The name of the store that is asked where none is named.
  package var storeName: String { (try? stores.store(nil).taxonomy.name) ?? stores.standard }

  /// Answers until it is told to end, by SIGINT or SIGTERM; requests that are under way are answered.
  ///
  /// - Parameter listening: Called with the port once it listens.
  /// - Throws: `ServerError` where it cannot listen.
  package func run(_ listening: @escaping @Sendable (Int) -> Void) async throws {
    let gate = Gate(settings, metrics)
    let categorize = CategorizeRoute(stores: stores, metrics: metrics)
    let shortWay = ShortWay(settings, gate, categorize, metrics)
    let channel = HTTP1Channel.Configuration(
      additionalChannelHandlers: [RequestGuard(shortWay)],
      httpDecoderConfiguration: .init(maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100))
    var logger = Logger(label: "aisle serve")
    logger.logLevel = .critical
    let application = Application(
      router: routes(gate, categorize), server: try protocols(channel),
      configuration: .init(address: .hostname(settings.host, port: settings.port), serverName: "aisle"), services: [events],
      onServerRunning: { channel in listening(channel.localAddress?.port ?? settings.port) }, logger: logger)
    var configuration = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = Self.drain
    do { try await ServiceGroup(configuration: configuration).run() } catch let error as IOError {
      let remedy = error.errnoCode == EADDRINUSE ? "another program listens there; choose another one with --port" : "\(error)"
      throw ServerError("cannot listen on \(settings.host) port \(settings.port): \(remedy)")
    }
  }

  private func protocols(_ channel: HTTP1Channel.Configuration) throws -> HTTPServerBuilder {
    guard let files = settings.certificate else { return .http1(configuration: channel) }
    do {
      let chain = try NIOSSLCertificate.fromPEMFile(files.chain).map { NIOSSLCertificateSource.certificate($0) }
      let key = try NIOSSLPrivateKey(file: files.key, format: .pem)
      let configuration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key))
      // Whether the two belong together is otherwise found out only when the server starts.
      _ = try NIOSSLContext(configuration: configuration)
      return try .tls(.http1(configuration: channel), tlsConfiguration: configuration)
    } catch { throw ServerError("\(files.chain), \(files.key): not a certificate and its key in PEM (\(error))") }
  }

  // MARK: Routes

  private func routes(_ gate: Gate, _ categorize: CategorizeRoute) -> Router<BasicRequestContext> {
    let router = Router(context: BasicRequestContext.self)
    router.add(middleware: gate)
    var table = RouteTable(router, access)
    let page = PageRoutes(stores, metrics)
    table.open(.get, "/") { _, _ in try page.show() }
    table.open(.post, "/") { request, _ in
      let form = try await Query(form: request)
      if access.needsToken {
        _ = try await access.caller(withToken: form.text("token") ?? "", needing: .read)
      }
      return try await page.list(form)
    }
    for (name, text, type) in [
      ("app.css", PageFiles.app_css, "text/css; charset=utf-8"),
      ("app.js", PageFiles.app_js, "text/javascript; charset=utf-8"),
    ] {
      let file = PageFile(text, type: type)
      table.open(.get, "/\(name)") { request, _ in file.answer(request) }
    }
    // Browsers ask for it by themselves.
    table.open(.get, "/favicon.ico") { _, _ in Response(status: .noContent, headers: [.cacheControl: "max-age=86400"]) }
    table.open(.get, "/openapi.json") { _, _ in Response(json: ByteBuffer(staticString: PageFiles.openapi_json)) }
    table.open(.get, "/health") { _, _ in Response(json: ByteBuffer(string: #"{"status":"healthy"}"#)) }
    table.add(.get, "/metrics", .read) { [metrics] _, _, _ in
      Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
        body: .init(byteBuffer: ByteBuffer(string: metrics.text)))
    }
    addStores(to: &table, categorize)
    addCorrections(to: &table)
    let recipes = RecipeSageRoutes(stores: stores, store: settings.recipeStore, metrics: metrics)
    table.add(.post, "/categorize", .read) { request, _, _ in try await recipes.categorize(request) }
    table.add(.get, "/categories", .read) { _, _, _ in try recipes.categories() }
    table.close()
    return router
  }

  private func addStores(to table: inout RouteTable, _ categorize: CategorizeRoute) {
    let routes = StoreRoutes(stores: stores)
    let me = MeRoute(settings: settings, stores: stores, model: model, access: access)
    let report = ReportRoute(path: settings.report)
    table.add(.get, "/v1/me", .read) { _, caller, _ in try me.answer(caller) }
    table.add(.post, PlainRequest.path, .read) { request, _, _ in try await categorize.answer(request) }
    table.add(.get, "/v1/stores", .read) { _, _, _ in try routes.list() }
    table.add(.get, "/v1/stores/:store", .read) { _, _, parameters in try routes.show(parameters.text("store")) }
    table.add(.get, "/v1/stores/:store/search", .read) { request, _, parameters in
      let query = Query(request)
      return try routes.search(
        query.text("q") ?? "", in: parameters.text("store"), limit: try query.number("limit", 1...200) ?? 50)
    }
    table.add(.get, "/v1/stores/:store/shelves/:shelf", .read) { _, _, parameters in
      try routes.shelf(parameters.text("shelf"), of: parameters.text("store"))
    }
    table.add(.get, "/v1/report", .read) { _, _, _ in try report.answer() }
    table.add(.get, "/v1/events", .read) { [events, access] request, _, _ in
      let authorization = request.headers[.authorization]
      return try events.answer { await access.mayGoOn(with: authorization, needing: .read) }
    }
  }

  private func addCorrections(to table: inout RouteTable) {
    let taught = CorrectionRoutes(stores: stores, corrections: corrections)
    table.add(.get, "/v1/corrections", .read) { request, _, _ in try await taught.list(Query(request)) }
    table.add(.post, "/v1/corrections", .teach) { request, caller, _ in try await taught.correct(request, caller) }
    table.add(.delete, "/v1/corrections", .teach) { request, caller, _ in try await taught.forget(Query(request), caller) }
    table.add(.post, "/v1/undo", .teach) { request, caller, _ in try await taught.undo(request, caller) }
    table.add(.get, "/v1/history", .read) { request, _, _ in try await taught.history(Query(request)) }
    let check = CheckRoute(stores: stores, corrections: corrections, model: model)
    table.add(.post, "/v1/check", .check) { request, _, _ in try await check.answer(request) }
    let app = AppRoute(
      stores: stores, corrections: corrections, model: model, scans: ScanCounter(path: corrections.path + ".scans"),
      scanLimit: settings.scanLimit)
    table.add(.post, "/v1/app", .check) { request, caller, _ in try await app.answer(request, caller) }
    let changes = ChangeRoutes(stores: stores, corrections: corrections)
    table.add(.get, "/v1/changes", .read) { request, _, _ in try await changes.list(Query(request)) }
    table.add(.post, "/v1/changes", .teach) { request, caller, _ in try await changes.take(request, caller) }
    let suggested = SuggestionRoutes(stores: stores, corrections: corrections)
    table.add(.get, "/v1/suggestions", .read) { request, _, _ in try await suggested.list(Query(request)) }
    table.add(.post, "/v1/suggestions", .teach) { request, caller, _ in try await suggested.propose(request, caller) }
    table.add(.post, "/v1/suggestions/decide", .teach) { request, caller, _ in try await suggested.decide(request, caller) }
  }
}
