import CPosix

/// What this process was started with, the program's name first. It needs no `/proc`.
package enum CommandLineWords {
  package static var all: [UnsafePointer<CChar>] { (0..<dl_argument_count()).compactMap { dl_argument($0) } }
}
