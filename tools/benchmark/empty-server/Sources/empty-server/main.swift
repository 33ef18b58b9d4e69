import Hummingbird
import Logging

// Takes what `aisle serve` takes, and does nothing with it: what the framework alone costs.
let router = Router()
router.get("/health") { _, _ in HTTPResponse.Status.ok }
router.post("/v1/categorize") { _, _ in HTTPResponse.Status.ok }
var logger = Logger(label: "empty")
logger.logLevel = .critical
let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8400
try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger).runService()
