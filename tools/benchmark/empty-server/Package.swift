// swift-tools-version:6.1
import PackageDescription

let package = Package(
  name: "empty-server",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: [])],
  targets: [
    .executableTarget(name: "empty-server", dependencies: [.product(name: "Hummingbird", package: "hummingbird")])
  ]
)
