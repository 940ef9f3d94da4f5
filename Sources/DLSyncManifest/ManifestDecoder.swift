package import DLSyncModel

/// Reads the text of a manifest: either everything in it is right and becomes a `Manifest`, or every error is told. No
/// file is read but the lists that the manifest names, and these by its user's hand; no server is asked.
///
/// The bytes are checked first; then the document is read once, entries being decoded as they come. Only where keys that
/// entries depend on stand behind `files` it is read a second time with those keys known.
package struct ManifestDecoder {
  private let context: ManifestContext

  /// A decoder for one manifest.
  package init(context: ManifestContext) { self.context = context }

  /// The manifest that the bytes spell (UTF-8, with or without a byte order mark).
  package func decode(_ bytes: [UInt8]) throws(ManifestError) -> Manifest {
    let result = bytes.withUnsafeBufferPointer { buffer in decode(SourceText(buffer)) }
    return try result.get()
  }

  private func decode(
    _ source: SourceText, _ trace: Trace? = nil, _ atEnd: (Head) -> Void = { _ in }
  ) -> Result<Manifest, ManifestError> {
    if let fault = Self.unreadable(source) { return failure(source, ProblemList(), fault) }
    var pass = DocumentPass(source, context, trace: trace)
    do throws(YAMLFault) {
      try pass.run()
    } catch {
      return failure(source, problems(pass, readHead(pass, isWhole: false).state), error)
    }
    let structure = pass.structure
    let (head, state) = readHead(pass, isWhole: true)
    if pass.isOutOfOrder {
      trace?.beginAgain()
      pass = DocumentPass(source, context, known: head, variables: state.variables, trace: trace)
      do throws(YAMLFault) { try pass.run() } catch { return failure(source, structure, error) }
    }
    pass.readFiles(of: head)
    let ofLists = state.otherVersion ? [] : pass.readLists(of: head)
    let found = problems(pass, state)
    guard found.isEmpty, ofLists.isEmpty else { return failure(source, found, nil, ofLists) }
    atEnd(head)
    var manifest = Manifest(
      scope: Scope(head.name ?? context.canonicalPath), source: context.source, root: head.root,
      queues: head.queues, files: pass.takeFiles(), notify: head.notify, lists: pass.lists)
    manifest.managedFolder = context.managedFolder
    if !context.variables.isEmpty {
      manifest.variableNames = state.variables.declared.union(VariableMentions.names(in: source))
    }
    return .success(manifest)
  }

  private func readHead(_ pass: DocumentPass, isWhole: Bool) -> (head: Head, state: DecodingState) {
    let state = DecodingState(context, ProblemList(), pass.state.trace)
    let document = pass.document ?? AliasBudget.nothing
    return (HeadDecoder(state: state).decode(pass.pairs, of: document, isWhole: isWhole), state)
  }

  /// The errors of every part. Where the version is another one, that is all that can be said.
  private func problems(_ pass: DocumentPass, _ head: DecodingState) -> ProblemList {
    guard !head.otherVersion else { return head.problems.only(path: "version") }
    let all = ProblemList()
    for part in [pass.structure, head.problems, pass.state.problems] { all.append(part) }
    return all
  }

  private func failure(
    _ source: SourceText, _ problems: ProblemList, _ fault: YAMLFault?, _ ofLists: [Diagnostic] = []
  ) -> Result<Manifest, ManifestError> {
    if let fault {
      problems.dropUncertain()
      problems.report(fault.place, path: "", fault.message, hint: fault.hint)
    }
    let writer = DiagnosticWriter(source: source, file: context.source, isBroken: fault != nil)
    return .failure(ManifestError(writer.write(problems) + ofLists))
  }
}

extension ManifestDecoder {
  /// Every value that counts for files of interest, and where it comes from. `held` are these files as the lock file has
  /// them, in the manifest's order: several may want one place.
  package func explain(
    _ bytes: [UInt8], where isWanted: (FileEntry) -> Bool, lock: String?, held: [FileEntry]
  ) throws(ManifestError) -> [Explanation] {
    let result = withoutActuallyEscaping(isWanted) { isWanted -> Result<[Explanation], ManifestError> in
      let trace = Trace(where: isWanted)
      var explanations: [Explanation] = []
      let decoded = bytes.withUnsafeBufferPointer { buffer in
        decode(SourceText(buffer), trace) { head in
          explanations = trace.matches.enumerated().map { index, match in
            // The file may be another one than a moment ago.
            let isSame = index < held.count && held[index].id == match.entry.id
            let held = isSame ? held[index] : match.entry
            return Explainer(context, head, trace, match, held: held, lock: lock).explanation
          }
        }
      }
      return decoded.map { _ in explanations }
    }
    return try result.get()
  }

  /// What keeps a text from being looked at as YAML at all.
  static func unreadable(_ source: SourceText) -> YAMLFault? {
    let bytes = source.bytes
    if bytes.isEmpty { return DocumentPass.empty(at: TextPosition(1, 1)) }
    if bytes.count >= Int(Int32.max) { return YAMLFault(TextPosition(1, 1), "a manifest is smaller than 2 GiB") }
    guard let (offset, problem) = ByteCheck.firstProblem(in: bytes) else { return nil }
    let place = source.position(of: offset)
    if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) || bytes.prefix(4).contains(0) {
      return YAMLFault(place, "the text is not UTF-8 but probably UTF-16", hint: "save it as UTF-8")
    }
    switch problem {
    case .notUTF8: return YAMLFault(place, "the bytes from here on are not UTF-8", hint: "save the text as UTF-8")
    case .control(let scalar):
      let digits = String(scalar, radix: 16, uppercase: true)
      return YAMLFault(
        place,
        "the control character U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits) stands here",
        hint: "remove it, or write it as an escape within double quotes")
    }
  }
}
