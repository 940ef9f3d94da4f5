import DLSyncModel
import Testing

@Suite struct DeviceListTests {
  @Test(arguments: [[], [7], [7, 7, 7], [1, 2, 1, 2], [0, 5, 5, 5, 6, 0, 0]] as [[UInt64]])
  func everyEntryKeepsItsDevice(_ devices: [UInt64]) {
    var list = DeviceList()
    for device in devices { list.append(device) }
    #expect(list.count == devices.count)
    #expect(devices.indices.map { list[$0] } == devices)
  }
}
