import DLSyncModel
import Testing

/// The two forms of `é` are one text to Swift, and two to a file system, a server and the record: what stands for a file, a
/// queue or a manifest, or is sent, is told apart byte for byte.
@Suite struct BytewiseTests {
  private static let composed = "\u{e9}"
  private static let decomposed = "e\u{301}"

  /// A text as part of a value, and whether the values of both forms are told apart.
  private func tellsApart<Value: Hashable>(_ value: (String) -> Value) -> Bool {
    let (one, other) = (value(Self.composed), value(Self.decomposed))
    return one != other && Set([one, other, value(Self.composed)]).count == 2
  }

  @Test func formsOfOneCharacterAreDifferentValues() {
    #expect(Self.composed == Self.decomposed)
    #expect(tellsApart { BytewiseText($0) })
    #expect(tellsApart { Scope($0) })
    #expect(tellsApart { QueueName($0) })
    #expect(tellsApart { HeaderField($0, "a") })
    #expect(tellsApart { HeaderField("a", $0) })
    #expect(tellsApart { NotificationTexts(success: $0) })
    #expect(tellsApart { NotificationTexts(failure: $0) })
    #expect(tellsApart { ListedChecksum(place: .file($0), algorithm: nil, name: nil) })
    #expect(tellsApart { ListedChecksum(place: .file("/l"), algorithm: nil, name: $0) })
    #expect(
      tellsApart { text in
        var settings = FileSettings()
        settings.tags = [text]
        return settings
      })
    let digest = Digest(.sha256, bytes: Array(repeating: 1, count: 32))!
    #expect(tellsApart { ManifestLock.Line(destination: $0, url: "u", size: .zero, sha256: digest) })
  }

  @Test func endsAndBeginningsAreThoseOfTheBytes() {
    #expect("x/\u{301}".beginsBytewise(with: "x/") && "x/\u{301}".endsBytewise(with: "/\u{301}"))
    #expect(!"e\u{301}".endsBytewise(with: "\u{e9}") && !"a".endsBytewise(with: "ba"))
    #expect("/\u{301}".isAbsolutePath && !"\u{301}/".isAbsolutePath && !"".isAbsolutePath)
    #expect("\u{301}/".endsInSlash && !"/\u{301}".endsInSlash)
    let path = "//a/\u{301}b/..//\u{200d}/"
    #expect(path.pathComponents.map { Array($0.utf8) } == ["a", "\u{301}b", "..", "\u{200d}"].map { Array($0.utf8) })
  }
}
