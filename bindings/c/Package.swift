// swift-tools-version:6.1
import PackageDescription

let exports = "\(Context.packageDirectory)/../../.build/c/exports.map"

/// The shared library for C. It is a package of its own so that it is built with the traits that it needs and without what the command and
/// the server fetch, and so that building those does not link it. `tools/build-c` builds it, with the flags that make it self-contained, and
/// writes the list of what is exported, out of `symbols.txt`.
let package = Package(
  name: "libaisle",
  platforms: [.macOS(.v15)],
  products: [.library(name: "aisle-c", type: .dynamic, targets: ["libaisle"])],
  dependencies: [.package(name: "aisle", path: "../..", traits: ["Patterns", "Model"])],
  targets: [
    .target(
      name: "libaisle", dependencies: [.product(name: "AisleC", package: "aisle")],
      linkerSettings: [.unsafeFlags(["-Xlinker", "--version-script=\(exports)", "-Xlinker", "-soname=libaisle.so"])])
  ]
)
