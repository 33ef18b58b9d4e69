import AisleFiles
import Hummingbird

/// The paths that are answered, with what a caller must be permitted for each.
struct RouteTable {
  private let router: Router<BasicRequestContext>
  private let access: Access
  private var methods: [String: [HTTPRequest.Method]] = [:]

  init(_ router: Router<BasicRequestContext>, _ access: Access) { (self.router, self.access) = (router, access) }

  /// Adds a path for everyone.
  mutating func open(
    _ method: HTTPRequest.Method, _ path: String,
    _ answer: @escaping @Sendable (Request, BasicRequestContext) async throws -> Response
  ) {
    methods[path, default: []].append(method)
    router.on(RouterPath(path), method: method) { request, context in try await answer(request, context) }
    guard method == .get else { return }
    methods[path]?.append(.head)
    router.on(RouterPath(path), method: .head) { request, context in try await answer(request, context) }
  }

  /// Adds a path for callers who may do it.
  mutating func add(
    _ method: HTTPRequest.Method, _ path: String, _ permission: Permission,
    _ answer: @escaping @Sendable (Request, Caller, PathParameters) async throws -> Response
  ) {
    open(method, path) { [access] request, context in
      let caller = try await access.caller(of: request, needing: permission)
      return try await answer(request, caller, PathParameters(context.parameters))
    }
  }

  /// Refuses the methods that a path does not have.
  func close() {
    for (path, known) in methods {
      let allowed = known.map(\.rawValue).sorted().joined(separator: ", ")
      for method: HTTPRequest.Method in [.get, .head, .post, .put, .delete, .patch, .options]
      where !known.contains(method) {
        router.on(RouterPath(path), method: method) { _, _ -> Response in
          throw Problem(.methodNotAllowed, "\(path) takes \(allowed)", [.allow: allowed])
        }
      }
    }
  }
}

/// The parts of a path that stand for something.
struct PathParameters {
  private let parameters: Parameters

  init(_ parameters: Parameters) { self.parameters = parameters }

  /// A part's text.
  func text(_ name: String) -> String { parameters.get(name) ?? "" }
}
