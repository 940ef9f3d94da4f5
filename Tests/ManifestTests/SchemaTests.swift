import DLSyncTestSupport
import Testing

@testable import DLSyncManifest

@Suite struct SchemaTests {
  @Test func everyKeyHasItsDescriptionAndNothingElseHas() {
    let keys = Set(ManifestSchema.tables.flatMap { table in table.keys.map { "\(table.name).\($0.name)" } })
    let described = Set(KeyDescriptions.all.keys)
    #expect(keys.subtracting(described).sorted() == [])
    let refused = Set(
      ["defaults", "list"].flatMap { table in FileDraft.defaultsTable.refused.keys.map { "\(table).\($0)" } })
    #expect(described.subtracting(keys).subtracting(refused).sorted() == [])
  }

  @Test func theSchemaIsJSONAndKnowsEveryTable() throws {
    let schema = try JSONValue(ManifestSchema.text)
    #expect(schema["$schema"].string == "https://json-schema.org/draft/2020-12/schema")
    #expect(Set(schema["$defs"].names) == Set(ManifestSchema.tables.dropFirst().map(\.name)))
    for table in ManifestSchema.tables.dropFirst() {
      #expect(schema["$defs"][table.name]["properties"].names == table.keys.map(\.name))
      #expect(schema["$defs"][table.name]["additionalProperties"].bool == false)
    }
    let concurrency = schema["$defs"]["queue"]["properties"]["concurrency"]["anyOf"][0]
    #expect(concurrency["minimum"].integer == 1 && concurrency["maximum"].integer == 64)
  }
}
