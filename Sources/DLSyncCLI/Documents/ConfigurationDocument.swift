/// A queue's recorded settings in JSON, laid out as the manifest lays them out: `timeouts.connect` is a member of an
/// object `timeouts`. Times are seconds, sizes bytes; what is not set is null.
struct ConfigurationDocument {
  let settings: [(key: String, value: String)]

  /// Keys whose values are words, even where they look like numbers (`1.2`).
  private static let words: Set<String> = [
    "mode", "network.interface", "network.proxy", "tls.caFile", "tls.clientCertificate", "tls.clientKey",
    "tls.minVersion",
  ]

  /// Without the braces around it. Settings of one group follow one another.
  func writeMembers(to json: JSONWriter) {
    var index = 0
    while index < settings.count {
      guard let group = Self.group(of: settings[index].key) else {
        write(settings[index], name: settings[index].key, to: json)
        index += 1
        continue
      }
      json.field(group) {
        while index < settings.count, Self.group(of: settings[index].key) == group {
          write(settings[index], name: String(settings[index].key.dropFirst(group.count + 1)), to: json)
          index += 1
        }
      }
    }
  }

  private static func group(of key: String) -> String? {
    guard let dot = key.firstIndex(of: ".") else { return nil }
    return String(key[..<dot])
  }

  private func write(_ setting: (key: String, value: String), name: String, to json: JSONWriter) {
    let value = setting.value
    json.key(name)
    if value.isEmpty || setting.key == "rate" && value == "unlimited" {
      json.null()
    } else if Self.words.contains(setting.key) {
      json.string(value)
    } else if setting.key == "retry.statusCodes" {
      json.array { for code in value.split(separator: ",") { scalar(String(code), to: json) } }
    } else {
      scalar(value, to: json)
    }
  }

  private func scalar(_ text: String, to json: JSONWriter) {
    if let number = Int(text) {
      json.integer(number)
    } else if text == "true" || text == "false" {
      json.boolean(text == "true")
    } else if let number = Double(text) {
      json.number(number)
    } else {
      json.string(text)
    }
  }
}
