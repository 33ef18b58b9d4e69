// swift-tools-version:6.1
import PackageDescription

/// Whoever depends on this package may leave parts out, and what they need is not fetched: `traits: ["Corrections"]`, or `[]`.
let traits: Set<Trait> = [
  .trait(name: "Corrections", description: "`Aisle` learns from people: GRDB, and SQLite"),
  .trait(name: "Patterns", description: "`Aisle` asks the stores' patterns too: libpcre2"),
  .trait(name: "Model", description: "`Aisle` weighs a trained model's answers too: a megabyte of the app"),
  .trait(
    name: "Command", description: "The command: swift-argument-parser", enabledTraits: ["Corrections", "Patterns", "Model"]),
  .trait(name: "Server", description: "`aisle serve`: Hummingbird, jwt-kit, and what they need", enabledTraits: ["Command"]),
  .default(enabledTraits: ["Command", "Server"]),
]

func when(_ trait: String, _ dependencies: [Target.Dependency]) -> [Target.Dependency] {
  dependencies.map {
    switch $0 {
    case .productItem(let name, let package, _, _):
      .product(name: name, package: package ?? "", condition: .when(traits: [trait]))
    case .targetItem(let name, _), .byNameItem(let name, _): .target(name: name, condition: .when(traits: [trait]))
    @unknown default: $0
    }
  }
}

/// The corrections' database, and what lies below it.
let grdb = when("Corrections", ["GRDB", "GRDBSQLite"].map { Target.Dependency.product(name: $0, package: "GRDB.swift") })

/// The table of built-in strategies. A line here makes the strategy's target and its test target, and hands it to the
/// catalog; `AisleCatalogTests` fails when this table, the folders and the catalog disagree, and says which line is missing.
let strategies: [(name: String, dependencies: [Target.Dependency])] = [
  ("Keyword", []),
  ("Learned", grdb + ["CorrectionMatching", "FlatFiles"]),
  ("Model", []),
  ("Process", []),
  ("LLM", ["HTTPTransport", "Photos"]),
  ("Regex", ["CPCRE2"]),
]

/// The data that strategies have compiled in.
let embedded: [String: [Resource]] = ["LLM": [.embedInCode("Models/models.txt")]]

let strict: [SwiftSetting] = ["ExistentialAny", "InternalImportsByDefault", "NonisolatedNonsendingByDefault"]
  .map { .enableUpcomingFeature($0) }
let strategyTargets: [Target.Dependency] = strategies.map { .init(stringLiteral: "\($0.name)Strategy") }
let argumentParser = when("Command", [.product(name: "ArgumentParser", package: "swift-argument-parser")])
/// What serves HTTP, and what reads the tokens of others.
let hummingbird = when(
  "Server",
  [
    .product(name: "Hummingbird", package: "hummingbird"), .product(name: "HummingbirdTLS", package: "hummingbird"),
    .product(name: "JWTKit", package: "jwt-kit"), .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
  ])
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// What the tests keep busy. `tools/test` has it optimized, which takes a tenth longer to build and a third of the time to run.
let busy: Set = [
  "AisleCore", "AisleFiles", "AisleTesting", "CorrectionMatching", "KeywordStrategy", "LearnedStrategy", "ModelStrategy",
  "RegexStrategy",
]
let optimized: [SwiftSetting] =
  Context.environment["AISLE_OPTIMIZE"] == nil ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"])]

/// Whether what is compiled in is among the sources, as in the tag of a version, which `tools/tag` makes. Otherwise a plugin makes it in each build.
let isReleased = false
let embedding: [Target.PluginUsage] = isReleased ? [] : ["EmbedData"]
/// Whether the tool that embeds data is built already, as `tools/build` does first: SwiftPM builds it twice more for the plugin `EmbedData`.
let isEmbedderBuilt = Context.environment["AISLE_EMBED_DATA"] != nil

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil, resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path, resources: resources,
    swiftSettings: busy.contains(name) ? strict + optimized : strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], excluding files: [String] = []) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: dependencies, exclude: files, swiftSettings: strict)
}

let package = Package(
  name: "aisle",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "aisle", targets: ["aisle"]),
    .executable(name: "aisle-serve", targets: ["aisle-serve"]),
    .library(name: "AisleKit", targets: ["AisleKit"]),
    .library(name: "AisleC", targets: ["AisleC"]),
    .library(name: "AisleCore", targets: ["AisleCore"]),
    .library(name: "AisleFiles", targets: ["AisleFiles"]),
    .library(name: "AisleCatalog", targets: ["AisleCatalog"]),
    .library(name: "AisleEvaluation", targets: ["AisleEvaluation"]),
    .library(name: "AisleReporting", targets: ["AisleReporting"]),
    .library(name: "AisleTuning", targets: ["AisleTuning"]),
    .library(name: "AisleTesting", targets: ["AisleTesting"]),
    .library(name: "KeywordStrategy", targets: ["KeywordStrategy"]),
    .library(name: "LearnedStrategy", targets: ["LearnedStrategy"]),
    .library(name: "ModelStrategy", targets: ["ModelStrategy"]),
    .library(name: "ProcessStrategy", targets: ["ProcessStrategy"]),
    .library(name: "LLMStrategy", targets: ["LLMStrategy"]),
    .library(name: "HTTPTransport", targets: ["HTTPTransport"]),
    .library(name: "RegexStrategy", targets: ["RegexStrategy"]),
    .library(name: "AisleCommand", targets: ["AisleCommand"]),
  ],
  traits: traits,
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
  ],
  targets: [
    .target(name: "CBytes", path: "Sources/System/CBytes"),
    library("AisleCore", ["CBytes"], resources: [.embedInCode("Languages/english.txt")]),
    .systemLibrary(name: "CPCRE2", path: "Sources/System/CPCRE2"),
    .target(
      name: "AisleKit",
      dependencies: ["AisleCore", "KeywordStrategy"] + when("Patterns", ["RegexStrategy"]) + when("Model", ["ModelStrategy"])
        + when("Corrections", ["LearnedStrategy"]),
      swiftSettings: strict, plugins: embedding),
    .target(name: "CAisle", path: "Sources/System/CAisle", linkerSettings: [.linkedLibrary("sqlite3")]),
    library("AisleC", ["AisleCore", "AisleKit", "CAisle", "CorrectionMatching", "FlatFiles", "KeywordStrategy"]),
    .target(name: "CFlatFile", path: "Sources/System/CFlatFile"),
    library("FlatFiles", ["AisleCore", "CFlatFile"]),
    library("CorrectionMatching", ["AisleCore", "FlatFiles"], resources: [.embedInCode("Matching/measures.txt")]),
    library("AisleFiles", ["AisleCore", "FlatFiles", yams]),
    library("AisleItems", ["AisleCore"]),
    library("AisleCatalog", ["AisleCore", "AisleFiles", "AisleItems", "AisleKit"] + strategyTargets),
    library("AisleEvaluation", ["AisleCore", "AisleFiles"]),
    library("AisleReporting", ["AisleCore", "AisleFiles", "AisleEvaluation"]),
    library("AisleTuning", ["AisleCore", "AisleFiles", "AisleEvaluation", "KeywordStrategy", "RegexStrategy"]),
    library("AisleTesting", ["AisleCore"]),
    .systemLibrary(name: "CCurl", path: "Sources/System/CCurl"),
    .systemLibrary(name: "CImages", path: "Sources/System/CImages"),
    library("Photos", ["CImages"]),
    library("HTTPTransport", ["CCurl"]),
    library("ModelServer", ["AisleCore"], path: "Tests/Support/ModelServer"),
    library("FileDamage", ["AisleCore"], path: "Tests/Support/FileDamage"),
    library(
      "AisleCommand",
      [
        "AisleCore", "AisleFiles", "AisleItems", "AisleCatalog", "AisleEvaluation", "AisleReporting", "AisleTuning",
        "AisleTesting", "FlatFiles", "Photos",
      ] + argumentParser + strategyTargets),
    .target(name: "CNoLocales", path: "Sources/System/CNoLocales"),
    .target(name: "COneHeap", path: "Sources/System/COneHeap"),
    .executableTarget(name: "aisle", dependencies: ["AisleCommand", "CNoLocales"], swiftSettings: strict),
    .target(
      name: "AisleServer",
      dependencies: [
        "AisleCore", "AisleFiles", "AisleKit", "AisleCatalog", "AisleItems", "LearnedStrategy", "LLMStrategy", "Photos",
      ]
        + hummingbird,
      exclude: ["Page"], swiftSettings: strict, plugins: embedding),
    .executableTarget(
      name: "aisle-serve", dependencies: ["AisleCommand", "AisleServer", "CNoLocales", "COneHeap"], swiftSettings: strict),
  ]
    + (isReleased
      ? []
      : [
        .plugin(
          name: "EmbedData", capability: .buildTool(), dependencies: isEmbedderBuilt ? [] : ["embed-data"],
          path: "Sources/Embedding/Plugin"),
        .executableTarget(
          name: "embed-data", dependencies: ["AisleCore", "AisleFiles", "KeywordStrategy"], path: "Sources/Embedding/Tool",
          swiftSettings: strict),
      ])
    + [
      tests("AisleCore", ["AisleCore", "AisleTesting"]),
      tests("AisleKit", ["AisleKit", "AisleCatalog", "AisleFiles", "KeywordStrategy", "LearnedStrategy"]),
      tests("FlatFiles", ["FlatFiles", "FileDamage"]),
      tests("AisleFiles", ["AisleFiles", "FlatFiles"]),
      tests("AisleItems", ["AisleItems"]),
      tests("AisleCatalog", ["AisleCatalog", "AisleTesting"]),
      tests("AisleEvaluation", ["AisleEvaluation", "AisleTesting", "KeywordStrategy"]),
      tests("AisleTuning", ["AisleTuning", "AisleTesting"]),
      tests("AisleReporting", ["AisleReporting", "AisleFiles", "AisleTesting", "KeywordStrategy"], excluding: ["Golden"]),
      tests("AisleCommand", ["AisleCommand"]),
      // Of the binary, as a process. None of its modules is needed for that, so that these are compiled beside them.
      tests(
        "Binary", ["AisleFiles", "AisleKit", "AisleTesting", "FileDamage", "LearnedStrategy", "ModelServer"] + grdb,
        excluding: ["Fixtures"]),
      tests("AisleServer", ["AisleServer", "AisleCatalog", "AisleFiles", "HTTPTransport"] + hummingbird),
      tests("HTTPTransport", ["HTTPTransport", "ModelServer"], excluding: ["Fixtures"]),
      tests("Photos", ["Photos", "ModelServer"], excluding: ["Fixtures"]),
    ]
    + strategies.map {
      tests(
        "\($0.name)Strategy",
        [.init(stringLiteral: "\($0.name)Strategy"), "AisleTesting", "AisleFiles", "FileDamage", "ModelServer"])
    }
    + strategies.map {
      library(
        "\($0.name)Strategy", ["AisleCore"] + $0.dependencies, path: "Sources/Strategies/\($0.name)",
        resources: embedded[$0.name] ?? [])
    },
  swiftLanguageModes: [.v6]
)
