import Glibc

/// What the system says of one of its error numbers, in the style of our messages: within a sentence.
package enum SystemText {
  /// `permission denied`, `there is no such file or folder`.
  package static func of(_ number: Int32) -> String {
    switch number {
    case ENOENT: return "there is no such file or folder"
    case ENOTDIR: return "something on the way is not a folder"
    case EISDIR: return "it is a folder"
    case ENOSPC: return "no space is left on its file system"
    case EROFS: return "the file system is read-only"
    default: break
    }
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      strerror_r(number, buffer.baseAddress!, buffer.count) == 0
        ? String(cString: buffer.baseAddress!) : "error \(number) of the system"
    }
    // "Permission denied" begins like a sentence, "RPC struct is bad" does not.
    let isWord = text.dropFirst().first.map { $0.isLowercase || $0 == " " } ?? false
    return isWord ? text.prefix(1).lowercased() + text.dropFirst() : text
  }
}
