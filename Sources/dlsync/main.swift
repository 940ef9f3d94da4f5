// The process entry; everything else is in DLSyncCLI, where it can be tested.
import DLSyncCLI

CommandLineTool.main(ProcessEnvironment())
