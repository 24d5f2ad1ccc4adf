// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "AtriumProtocol",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .library(name: "AtriumProtocol", targets: ["AtriumProtocol"])
    ],
    targets: [
        .target(name: "AtriumProtocol")
    ]
)
