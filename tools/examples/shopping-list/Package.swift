// swift-tools-version:6.1
import PackageDescription

/// The model behind the screen of a list app, without the screen: what is asked of the library, and when.
let package = Package(
  name: "shopping-list",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "ShoppingList", targets: ["ShoppingList"])],
  dependencies: [.package(name: "aisle", path: "../../..", traits: ["Corrections", "Model", "Patterns"])],
  targets: [
    .target(name: "ShoppingList", dependencies: [.product(name: "AisleKit", package: "aisle")]),
    .testTarget(
      name: "ShoppingListTests", dependencies: ["ShoppingList", .product(name: "AisleKit", package: "aisle")]),
  ]
)
