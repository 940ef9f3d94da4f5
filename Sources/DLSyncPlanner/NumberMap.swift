/// The numbers that other numbers stand for. It costs nothing while each stands for itself, as entries, records and places
/// in a plan do in most runs of a large manifest.
struct NumberMap {
  private let count: Int
  /// How many stand for themselves, from the first on, while `numbers` is nil; the others stand for nothing.
  private var identical = 0
  /// -1 for nothing.
  private var numbers: [Int32]?

  /// A map of `0..<count`, none of which stands for anything yet.
  init(count: Int) { self.count = count }

  /// What a number stands for.
  subscript(key: Int) -> Int? {
    get {
      guard let numbers else { return key < identical ? key : nil }
      return numbers[key] < 0 ? nil : Int(numbers[key])
    }
    set {
      if numbers == nil {
        if newValue == key, key <= identical {
          identical = max(identical, key + 1)
          return
        }
        numbers = (0..<count).map { $0 < identical ? Int32($0) : -1 }
      }
      numbers?[key] = newValue.map { Int32($0) } ?? -1
    }
  }
}
