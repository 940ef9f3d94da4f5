import DLSyncModel
import DLSyncSystem
import Glibc

/// Repeats a call that a signal interrupted.
@inline(__always)
func uninterrupted<Value: SignedInteger>(_ call: () -> Value) -> Value {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// Reads until the buffer is full or the file ends; the number of bytes.
func readFully(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemTrouble)
  -> Int
{
  var done = 0
  while done < buffer.count {
    let count = uninterrupted {
      pread(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + off_t(done))
    }
    if count < 0 { throw .last }
    if count == 0 { break }
    done += count
  }
  return done
}

/// Writes everything.
func writeFully(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemTrouble) {
  var done = 0
  while done < bytes.count {
    let count = uninterrupted {
      pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
    }
    if count < 0 { throw .last }
    done += count
  }
}

/// The attributes of an open file.
func status(_ descriptor: Int32) throws(SystemTrouble) -> stat {
  var result = stat()
  if fstat(descriptor, &result) != 0 { throw .last }
  return result
}

/// The attributes of a name in a folder; a link is looked at, not followed.
func status(_ folder: Int32, _ name: String) throws(SystemTrouble) -> stat {
  var result = stat()
  if fstatat(folder, name, &result, AT_SYMLINK_NOFOLLOW) != 0 { throw .last }
  return result
}
