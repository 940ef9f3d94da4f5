import Glibc

/// What the system says of a call that failed, before it is known what to say of it.
package struct SystemTrouble: Error, Hashable, Sendable {
  /// errno(3).
  package let number: Int32

  package init(_ number: Int32) { self.number = number }

  /// What the last call of this thread left behind.
  package static var last: SystemTrouble { SystemTrouble(errno) }

  /// In the style of our messages, within a sentence: `permission denied`, `there is no such file or folder`.
  package var text: String {
    switch number {
    case ENOENT: return "there is no such file or folder"
    case ENOTDIR: return "something on the way is not a folder"
    case EISDIR: return "it is a folder"
    case ENOSPC: return "no space is left on its file system"
    case EROFS: return "the file system is read-only"
    default: break
    }
    // "Permission denied" begins like a sentence, "RPC struct is bad" does not.
    let text = ownText
    let isWord = text.dropFirst().first.map { $0.isLowercase || $0 == " " } ?? false
    return isWord ? text.prefix(1).lowercased() + text.dropFirst() : text
  }

  /// Whether no more files can be open for now (EMFILE: in this process, ENFILE: on this machine).
  package var isTooManyFiles: Bool { number == EMFILE || number == ENFILE }

  /// What to do then.
  package static let tooManyFilesHint = "raise the limit of open files (`ulimit -n`), or let fewer files run at once"

  /// In the system's own words, for whoever looks for the cause: `Permission denied (errno 13)`.
  package var record: String { "\(ownText) (errno \(number))" }

  private var ownText: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      strerror_r(number, buffer.baseAddress!, buffer.count) == 0
        ? String(cString: buffer.baseAddress!) : "error \(number) of the system"
    }
  }
}
