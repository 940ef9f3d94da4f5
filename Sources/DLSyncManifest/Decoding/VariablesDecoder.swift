/// Reads `vars`: each value may use the environment and the variables before it.
struct VariablesDecoder {
  let state: DecodingState

  func decode(_ node: NodeRef) {
    guard let pairs = state.pairs(node) else { return }
    for pair in pairs {
      let name = pair.key.text
      state.descend(.key(name)) { define(name, pair) }
    }
  }

  private func define(_ name: String, _ pair: Pair) {
    guard Expansion.isName(name) else {
      state.report(pair.key, "a variable's name is made of letters, digits, `_`, `-` and `.`")
      return
    }
    state.variables.declare(name)
    let value = state.resolved(pair.value)
    // A variable without a value is one that the command line has to give.
    if state.variables.isGiven(name) || value.isNull { return }
    state.trace?.note(state.pathText, value)
    state.variables.set(name, state.text(value)?.value)
  }
}
