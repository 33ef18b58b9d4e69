// swift-tools-version:6.1
import PackageDescription

/// A strategy of one's own, with its conformance test and a command that has it beside the built-in ones.
let package = Package(
  name: "plu",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "aisle", path: "../../..")],
  targets: [
    .target(name: "PLUStrategy", dependencies: [.product(name: "AisleCore", package: "aisle")]),
    .executableTarget(
      name: "aisle-plu", dependencies: [
        "PLUStrategy", .product(name: "AisleCatalog", package: "aisle"), .product(name: "AisleCommand", package: "aisle"),
      ]),
    .testTarget(
      name: "PLUStrategyTests",
      dependencies: [
        "PLUStrategy", .product(name: "AisleKit", package: "aisle"), .product(name: "AisleTesting", package: "aisle"),
      ]),
  ]
)
