import AisleFiles
import Hummingbird

/// `GET /v1/report`: the report of the last evaluation.
struct ReportRoute: Sendable {
  /// The file that `aisle eval --reporter json` writes; `nil` where there is to be none.
  let path: String?

  private static let limit = 64 << 20

  func answer() throws -> Response {
    let remedy = "`aisle eval --reporter json --output FILE` writes one, and `aisle serve --report FILE` shows it"
    guard let path else { throw Problem(.notFound, "no report of an evaluation is named; \(remedy)") }
    do {
      return Response(json: ByteBuffer(bytes: try FileReader.read(path, limit: Self.limit)))
    } catch { throw Problem(.notFound, "\(error); \(remedy)") }
  }
}
