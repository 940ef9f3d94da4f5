public import DLSyncModel

/// One file that a program wants: where it comes from, where it should be, and what its bytes must be.
///
/// ```swift
/// var request = try DownloadRequest("https://downloads.example.org/model.bin", to: "/srv/models/model.bin")
/// request.checksums = [Digest(.sha256, hex: checksum)!]
/// let task = try await queue.download(request)
/// ```
public struct DownloadRequest: Sendable {
  /// Where the file comes from.
  public var url: SourceURL
  /// Where it should be: an absolute path, or one relative to the working folder. A slash at the end takes the name from the
  /// URL. Nil: in the store below the state folder, at a path that follows from scope, queue and URL. A remote place (`s3:`)
  /// and a path below `~` are refused with `usage` when the file is asked for.
  public var destination: String?
  /// Digests that the bytes must have, all of them. A file that is there already and has them is adopted without a transfer.
  public var checksums: [Digest] = []
  /// The length that the file must have.
  public var size: ByteCount?
  /// 0 to 1; higher first, equal ones in the order of their coming.
  public var priority = 0.5
  /// The rest of what a manifest can say of a file: headers, permissions, mirrors, what to do with a file in the way.
  /// `refresh` must stay `never`: a completed task is not fetched again.
  public var settings = FileSettings()

  /// Takes a URL and a destination; `nil` is the store below the state folder.
  public init(_ url: SourceURL, to destination: String? = nil) {
    self.url = url
    self.destination = destination
  }

  /// Takes a URL as text. Throws `usage` where it is no `http` or `https` URL.
  public init(_ url: String, to destination: String? = nil) throws(DLSyncError) {
    do throws(SourceURL.Problem) {
      self.init(try SourceURL(url), to: destination)
    } catch {
      throw DLSyncError(
        .usage, "\"\(Redaction.url(url))\" is no URL that can be fetched", hint: Self.hint(error))
    }
  }

  private static func hint(_ problem: SourceURL.Problem) -> String {
    switch problem {
    case .userInformation: "leave out what stands before the `@`, and give credentials as a header"
    case .fragment: "leave out the `#` and what follows: it is never sent"
    default: "give a whole http or https URL"
    }
  }
}

extension DownloadRequest {
  /// Request headers; they go to the URL's own origin alone, and are in no message, log or report.
  public var headers: [HeaderField] {
    get { settings.headers }
    set { settings.headers = newValue }
  }
}
