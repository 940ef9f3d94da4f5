import DLSyncModel

extension FilePlan {
  /// Whether the file stays and only its permission bits become others.
  var changesMode: Bool { action == .reuse && appliesPermissions }

  /// Why, in a word; where permission bits change, these as well: `mode 0755 (was 0600)`.
  var reasonText: String {
    guard changesMode, let wanted = entry.options.permissions, case .file(let identity) = basis else {
      return reason.rawValue
    }
    let change = "mode \(Self.octal(wanted)) (was \(Self.octal(identity.mode)))"
    return reason == .unchanged ? change : "\(reason.rawValue), \(change)"
  }

  private static func octal(_ mode: UInt16) -> String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(1, 4 - digits.utf8.count)) + digits
  }
}
