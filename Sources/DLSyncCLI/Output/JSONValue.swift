import DLSyncModel

/// A value that has exactly one form in JSON.
protocol JSONValue {
  func write(to json: JSONWriter)
}

extension String: JSONValue {
  func write(to json: JSONWriter) { json.string(self) }
}

extension Bool: JSONValue {
  func write(to json: JSONWriter) { json.boolean(self) }
}

extension Int: JSONValue {
  func write(to json: JSONWriter) { json.integer(self) }
}

extension Int32: JSONValue {
  func write(to json: JSONWriter) { json.integer(self) }
}

extension Double: JSONValue {
  func write(to json: JSONWriter) { json.number(self) }
}

/// Bytes, as an integer.
extension ByteCount: JSONValue {
  func write(to json: JSONWriter) { json.integer(bytes) }
}

/// Unix seconds with fractions.
extension Timestamp: JSONValue {
  func write(to json: JSONWriter) { json.number(seconds) }
}

extension TaskID: JSONValue {
  func write(to json: JSONWriter) { json.string(description) }
}

/// What is unknown is null.
extension Optional: JSONValue where Wrapped: JSONValue {
  func write(to json: JSONWriter) {
    if let self { self.write(to: json) } else { json.null() }
  }
}

extension Array: JSONValue where Element: JSONValue {
  func write(to json: JSONWriter) {
    json.array { for element in self { element.write(to: json) } }
  }
}

extension DLSyncError: JSONValue {
  func write(to json: JSONWriter) {
    json.object {
      json.field("code", code.text)
      json.field("message", message)
      json.field("retryable", isRetryable)
      json.field("statusCode", details.statusCode)
      json.field("retryAfter", details.retryAfter)
      json.field("hint", hint)
    }
  }
}
