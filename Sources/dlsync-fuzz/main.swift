// A command for those who work on dlsync: `make fuzz`.
import DLSyncFuzzing
import Glibc

exit(FuzzCommand.run(Array(CommandLine.arguments.dropFirst())))
