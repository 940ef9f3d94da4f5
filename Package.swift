// swift-tools-version: 6.2
// The architecture, bottom up. The arrows of this file are the only arrows there are: builds run with
// `--explicit-target-dependency-import-check error`. docs/design.md tells why each target exists.
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func layer(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func suite(_ name: String, _ dependencies: [Target.Dependency], excluding files: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: files, swiftSettings: strict)
}

let package = Package(
  name: "dlsync",
  products: [
    .executable(name: "dlsync", targets: ["dlsync"]),
    .library(name: "DLSyncKit", targets: ["DLSyncKit", "DLSyncModel"]),
  ],
  targets: [
    // L0  system libraries, each with exactly one importer, and the GNU calls that Swift's Glibc module hides
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // libcrypto's and libcurl's headers: the libraries are loaded when something is hashed, when a transfer begins
    .target(name: "CCrypto"),
    .target(name: "CCurl"),
    .target(name: "CPosix"),

    // L1  values that every layer speaks; locks and threads; files, programs and clocks of the operating system
    layer("DLSyncModel"),
    layer("DLSyncThreading"),
    layer("DLSyncSystem", ["DLSyncThreading", "CPosix"]),

    // L2  siblings: they never import one another
    layer("DLSyncManifest", ["DLSyncModel", "CYAML"]),
    layer("DLSyncPlanner", ["DLSyncModel"]),
    layer("DLSyncStore", ["DLSyncModel", "DLSyncThreading", "DLSyncSystem", "CSQLite"]),
    layer("DLSyncDisk", ["DLSyncModel", "DLSyncThreading", "DLSyncSystem", "CCrypto", "CPosix"]),
    layer("DLSyncTransfer", ["DLSyncModel", "DLSyncThreading", "DLSyncSystem", "CCurl"]),

    // L3  survey, plan, execute, events: the library's front door
    layer(
      "DLSyncKit",
      [
        "DLSyncModel", "DLSyncThreading", "DLSyncSystem", "DLSyncManifest", "DLSyncPlanner", "DLSyncStore",
        "DLSyncDisk", "DLSyncTransfer",
      ]),

    // L4  words, streams, exit status
    layer("DLSyncCLI", ["DLSyncKit", "DLSyncModel", "DLSyncThreading", "DLSyncSystem"]),
    .executableTarget(name: "dlsync", dependencies: ["DLSyncCLI"], swiftSettings: strict),

    // Tests
    layer("DLSyncTestSupport", ["DLSyncModel", "DLSyncThreading", "DLSyncSystem"]),
    layer("DLSyncTestTransport", ["DLSyncModel", "DLSyncThreading", "DLSyncSystem", "DLSyncTransfer"]),
    layer("DLSyncFuzzing", ["DLSyncManifest", "DLSyncModel", "DLSyncThreading", "DLSyncTestSupport"]),
    .executableTarget(name: "dlsync-fuzz", dependencies: ["DLSyncFuzzing"], swiftSettings: strict),
    suite("ModelTests", ["DLSyncModel", "DLSyncTestSupport"]),
    suite("ThreadingTests", ["DLSyncThreading"]),
    suite("SystemTests", ["DLSyncSystem", "DLSyncThreading", "DLSyncTestSupport"]),
    suite(
      "ManifestTests", ["DLSyncManifest", "DLSyncModel", "DLSyncFuzzing", "DLSyncTestSupport"],
      excluding: ["Fixtures"]),
    suite("PlannerTests", ["DLSyncPlanner", "DLSyncModel", "DLSyncTestSupport"]),
    suite("StoreTests", ["DLSyncStore", "DLSyncModel", "DLSyncThreading", "DLSyncTestSupport", "CSQLite"]),
    suite("DiskTests", ["DLSyncDisk", "DLSyncModel", "DLSyncThreading", "DLSyncTestSupport"]),
    suite(
      "TransferTests",
      ["DLSyncTransfer", "DLSyncModel", "DLSyncThreading", "CCurl", "DLSyncTestSupport", "DLSyncTestTransport"]),
    suite(
      "KitTests",
      [
        "DLSyncKit", "DLSyncModel", "DLSyncThreading", "DLSyncDisk", "DLSyncStore", "DLSyncTransfer",
        "DLSyncTestSupport", "DLSyncTestTransport",
      ]),
    suite("CLITests", ["DLSyncCLI", "DLSyncModel", "DLSyncThreading", "DLSyncSystem", "DLSyncTestSupport"]),
    suite("CrashTests", ["DLSyncTestSupport"]),
  ]
)
