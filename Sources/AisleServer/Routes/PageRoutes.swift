import AisleCore
import AisleKit
import HTTPTypes
import Hummingbird

/// The page, and the list that it shows without JavaScript.
struct PageRoutes: Sendable {
  let stores: StoreRoom
  let metrics: ServerMetrics
  private let page = String(describing: PageFiles.page_html)

  init(_ stores: StoreRoom, _ metrics: ServerMetrics) { (self.stores, self.metrics) = (stores, metrics) }

  /// The page without a list.
  func show() throws -> Response { html(try filled(items: "", list: "", chosen: stores.standard)) }

  /// The page with the list of a form.
  func list(_ form: Query) async throws -> Response {
    let typed = form.text("items") ?? ""
    let items = typed.split(whereSeparator: \.isNewline).map { String($0) }.filter {
      !$0.allSatisfy(\.isWhitespace)
    }
    guard items.count <= Limits.items else {
      throw Problem(.contentTooLarge, "more than \(Limits.items) items; send them in several requests")
    }
    let store = try await stores.readyStore(form.text("store").flatMap { $0.isEmpty ? nil : $0 }, for: items)
    let batch = try await store.decide(items)
    metrics.add(items: batch.count)
    var lists = [[String]](repeating: [], count: store.sections.count)
    for (item, decision) in zip(items, batch.decisions) { lists[store.place(of: decision)].append(item) }
    let list = zip(store.sections, lists).filter { !$0.1.isEmpty }.map { section, items in
      "<h2>\(Self.escaped(section.name))</h2><ul>\(items.map { "<li>\(Self.escaped($0))</li>" }.joined())</ul>"
    }
    return html(try filled(items: typed, list: list.joined(), chosen: store.id))
  }

  private func filled(items: String, list: String, chosen: String) throws -> String {
    let options = stores.outlines.map {
      "<option value=\"\(Self.escaped($0.id))\"\($0.id == chosen ? " selected" : "")>\(Self.escaped($0.name))</option>"
    }
    // What was typed comes last, since it may read like a mark.
    return page.replacing("<!--stores-->", with: options.joined()).replacing("<!--list-->", with: list).replacing(
      "<!--items-->", with: Self.escaped(items))
  }

  /// What the page may do: nothing but load its own files and call this server.
  private static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; \
    frame-ancestors 'none'; base-uri 'none'
    """

  private func html(_ text: String) -> Response {
    let headers: HTTPFields = [
      .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: Self.policy,
    ]
    return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
  }

  /// A text that is only text in HTML. Browsers read scalars, of which one character may have several: `<` after a U+0600.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { html, scalar in
      switch scalar {
      case "&": html += "&amp;"
      case "<": html += "&lt;"
      case ">": html += "&gt;"
      case "\"": html += "&quot;"
      case "'": html += "&#39;"
      default: html.unicodeScalars.append(scalar)
      }
    }
  }
}

/// A file of the page, which browsers keep until it changes.
struct PageFile: Sendable {
  private let bytes: ByteBuffer
  private let type: String
  private let tag: String

  init(_ text: StaticString, type: String) {
    bytes = ByteBuffer(staticString: text)
    self.type = type
    tag = "\"\(FNV1a.text(text.withUTF8Buffer { FNV1a.hash($0) }))\""
  }

  func answer(_ request: Request) -> Response {
    let headers: HTTPFields = [.contentType: type, .eTag: tag, .cacheControl: "no-cache"]
    if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: headers) }
    return Response(status: .ok, headers: headers, body: .init(byteBuffer: bytes))
  }
}
