// Whoever imports the library sees the values that it speaks of: a program needs one import.
@_exported public import DLSyncModel
