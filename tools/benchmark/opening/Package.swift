// swift-tools-version:6.1
import PackageDescription

/// Measures how long an app waits for a compiled-in store: `tools/bench` builds and runs it.
let package = Package(
  name: "opening",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "aisle", path: "../../..", traits: ["Model", "Patterns"])],
  targets: [.executableTarget(name: "opening", dependencies: [.product(name: "AisleKit", package: "aisle")])]
)
