// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "embedding",
  dependencies: [
    // A program of its own writes .package(url: "https://…/dlsync.git", from: "0.1.0").
    .package(name: "dlsync", path: "../..")
  ],
  targets: [
    .executableTarget(name: "embedding", dependencies: [.product(name: "DLSyncKit", package: "dlsync")])
  ]
)
