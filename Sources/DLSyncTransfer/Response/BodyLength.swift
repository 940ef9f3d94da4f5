import DLSyncModel

/// What a response says about the length of its body (RFC 9112, section 6.3).
enum BodyLength: Equatable {
  /// Nothing: the body ends with the connection, or where HTTP/2 says so.
  case untold
  case known(Int64)
  /// Chunked framing; a Content-Length beside it does not count, and the connection must not be used again, because the
  /// two could be an attempt to smuggle a response.
  case chunked(besideLength: Bool)
  /// It contradicts itself, or cannot be understood; what is wrong.
  case invalid(String)

  init(_ head: ResponseHead) {
    let codings = head.list(.transferEncoding).filter { $0 != "identity" }
    let lengths = head.values(.contentLength)
    var number: Int64?
    for text in lengths {
      guard let length = text.plainNumber else {
        self = .invalid("its Content-Length is not one plain number")
        return
      }
      if let number, number != length {
        self = .invalid("it has two Content-Lengths that differ")
        return
      }
      number = length
    }
    if !codings.isEmpty {
      self =
        codings == ["chunked"]
        ? .chunked(besideLength: number != nil) : .invalid("its Transfer-Encoding is not \"chunked\"")
    } else {
      self = number.map { .known($0) } ?? .untold
    }
  }

  /// The number, where there is one to rely on.
  var bytes: Int64? {
    if case .known(let bytes) = self { bytes } else { nil }
  }
}
