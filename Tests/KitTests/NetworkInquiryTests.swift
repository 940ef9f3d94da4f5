import Testing

@testable import DLSyncKit

@Suite struct NetworkInquiryTests {
  @Test(arguments: [
    ("u 1\n", NetworkCost.metered), ("u 3\n", .metered), ("u 2\n", .unmetered),
    ("u 4\n", .unmetered),
    ("u 0\n", .unknown), ("u 9\n", .unknown), ("", .unknown), ("nonsense", .unknown),
    ("   variant       uint32 1\n", .metered), ("   variant       uint32 4\n", .unmetered),
  ])
  func propertyIsReadAsNetworkManagerMeansIt(_ text: String, _ cost: NetworkCost) {
    #expect(NetworkInquiry.cost(text) == cost)
  }
}
