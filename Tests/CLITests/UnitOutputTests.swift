import DLSyncModel
import DLSyncSystem
import Glibc
import Testing

@testable import DLSyncCLI

@Suite struct OutputTests {
  @Test(arguments: [
    ("plain", #""plain""#), ("", #""""#), ("a\"b\\c/", #""a\"b\\c/""#), ("\n\r\t", #""\n\r\t""#),
    ("\0\u{1}\u{1f}\u{7f}", #""\u0000\u0001\u001f\u007f""#), ("ü…é\u{1F600}\u{ff5e}", "\"ü…é\u{1F600}\u{ff5e}\""),
    // A terminal takes U+009B for ESC [, and the others reorder what is shown.
    ("a\u{9b}2J\u{85}b", #""a\u009b2J\u0085b""#), ("\u{2028}é\u{202e}", #""\u2028é\u202e""#),
    ("\u{feff}", #""\ufeff""#),
    ("\u{61c}x", #""\u061cx""#),
  ])
  func stringsAreEscaped(_ text: String, _ expected: String) {
    #expect(json { $0.string(text) } == expected)
  }

  @Test(arguments: ["2026-02-29", "2026-02-31", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00"])
  func aDayThatNoYearHasIsNoMoment(_ text: String) {
    let now = Timestamp(seconds: 1_700_000_000)
    #expect(MomentText.moment(text, now: now) == nil && MomentText.moment("2024-02-29", now: now) != nil)
  }

  @Test(
    arguments: [
      (0, "0"), (1, "1"), (-3, "-3"), (0.1, "0.1"), (1.0 / 3, "0.3333333333333333"), (1e300, "1e+300"),
      (.infinity, "null"), (-.infinity, "null"), (.nan, "null"), (1_700_000_000.25, "1700000000.25"),
      (9_007_199_254_740_992, "9007199254740992.0"),
    ] as [(Double, String)])
  func numbersAreShortAndFinite(_ number: Double, _ expected: String) {
    #expect(json { $0.number(number) } == expected)
  }

  @Test func momentsOfAnyYearAreInOrder() throws {
    let years = try ["0001", "1900", "1970", "2026", "2262", "9999"].map {
      try #require(MomentText.moment("\($0)-12-31", now: Timestamp(seconds: 1_700_000_000)))
    }
    #expect(years == years.sorted() && years[0] < years[2] && years[3] < years[5])
  }

  @Test func commasStandBetweenThingsOnly() {
    let text = json { json in
      json.object {
        json.field("a", 1)
        json.field("b", [1, 2])
        json.field("c", [Int]())
        json.field("d") {}
        json.field("e") {
          json.field("f", String?.none)
          json.field("g", true)
        }
        json.field("h", ["x", "y"]) { text in json.object { json.field(text, text) } }
      }
      json.endLine()
      json.array {}
    }
    #expect(text == #"{"a":1,"b":[1,2],"c":[],"d":{},"e":{"f":null,"g":true},"h":[{"x":"x"},{"y":"y"}]}"# + "\n[]")
  }

  @Test func largeOutputArrivesWhole() {
    let line = String(repeating: "x", count: 999) + "\n"
    let text = captured { channel in for _ in 0..<500 { channel.write(line) } }
    #expect(text.utf8.count == 500_000)
  }

  @Test func aFullDeviceIsRemembered() {
    let descriptor = open("/dev/full", O_WRONLY)
    defer { close(descriptor) }
    let channel = OutputChannel(descriptor: descriptor)
    channel.write("x")
    channel.flush()
    #expect(channel.failure == SystemTrouble(ENOSPC))
    #expect(!channel.isOpen)
  }

  @Test func aReaderThatWentAwayIsNoFailure() {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    close(ends[0])
    let channel = OutputChannel(descriptor: ends[1])
    channel.write("x")
    channel.flush()
    #expect(channel.failure == nil)
    #expect(!channel.isOpen)
    close(ends[1])
  }

  @Test func errorsHaveTheFieldsOfTheContract() {
    let error = DLSyncError(
      .httpStatus, "the server answered 503", hint: "try later",
      .init(isRetryable: true, statusCode: 503, retryAfter: 2.5))
    #expect(
      json { error.write(to: $0) }
        == #"{"code":"httpStatus","message":"the server answered 503","retryable":true,"statusCode":503,"#
        + #""retryAfter":2.5,"hint":"try later"}"#)
  }

  @Test(arguments: [
    ("plain.txt", "plain.txt"), ("\u{1b}[31m", "\\x1b[31m"), ("a\nb\rc\td", "a\\nb\\rc\\td"),
    ("\u{7f}\u{9b}", "\\x7f\\x9b"),
    ("\u{202e}cod", "\\u{202e}cod"), ("模型 é", "模型 é"), ("\0", "\\x00"), ("a\r\nb", "a\\r\\nb"),
  ])
  func controlCharactersNeverReachATerminal(_ text: String, _ expected: String) {
    #expect(TerminalText.escaped(text) == expected)
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("模型", 4), ("ｱ", 1), ("한국", 4), ("\u{1F600}", 2),
    ("👨‍👩‍👧", 2), ("🇫🇷", 2), ("…", 1), ("━", 1), ("❤\u{fe0f}", 2), ("a\u{200b}b", 2),
    ("👍🏽", 2), ("नमस्ते", 4), ("\u{1112}\u{1161}\u{11ab}", 2), ("🇫🇷🇩🇪", 4), ("ข้อมูล", 4),
  ])
  func widthsAreThoseOfATerminal(_ text: String, _ columns: Int) {
    #expect(CharacterWidth.of(text) == columns)
  }

  @Test(arguments: [
    ("abcdefghij", 10, "abcdefghij"), ("abcdefghijk", 10, "abc…fghijk"), ("abc", 1, "…"),
    ("abc", 0, ""), ("模型数据文件", 7, "模…文件"), ("模型数", 5, "模…数"),
    ("pool/main/c/curl/curl_7.88.deb", 21, "pool/m…/curl_7.88.deb"), ("a/b/c/name-of-it.txt", 16, "…/name-of-it.txt"),
    ("a/b/c/name-of-it.txt", 15, "a/b/c…of-it.txt"),
  ])
  func longNamesKeepTheirEnds(_ text: String, _ columns: Int, _ expected: String) {
    #expect(Fitting.middle(text, columns: columns) == expected)
  }

  @Test func fittedTextNeverExceedsItsColumns() {
    for text in ["abcdefghijklmnop", "模型数据文件模型数据文件", "a模b型c数", "👨‍👩‍👧👨‍👩‍👧x"] {
      for columns in 0...30 {
        #expect(CharacterWidth.of(Fitting.middle(text, columns: columns)) <= columns, "\(text) in \(columns)")
        #expect(CharacterWidth.of(Fitting.end(text, columns: columns)) <= columns, "\(text) in \(columns)")
      }
    }
  }

  @Test(arguments: [
    (0.004, "0.00 s"), (0.05, "0.05 s"), (1.54, "1.5 s"), (9.96, "10 s"), (42.4, "42 s"), (200, "3 min 20 s"),
    (7500, "2 h 5 min"), (.infinity, "?"),
  ])
  func durationsReadWell(_ seconds: Double, _ expected: String) {
    #expect(Wording.duration(seconds) == expected)
  }

  @Test(arguments: [(0, "0:00"), (6.2, "0:07"), (754, "12:34"), (3723, "1:02:03"), (1e9, "--:--"), (-1, "--:--")])
  func clocksReadWell(_ seconds: Double, _ expected: String) {
    #expect(Wording.clock(seconds) == expected)
  }

  @Test(
    arguments: [
      (28, 0.14, nil), (28, 5, nil), (0, 0, nil), (700_000, 0.9, nil), (700_000, 1, "683.6 KiB/s"),
      (1 << 20, 0.5, "2.0 MiB/s"), (1 << 20, 0, nil), (2048, 2, "1.0 KiB/s"),
    ] as [(Int64, Double, String?)])
  func averagesAreToldWhereTheyMeanSomething(bytes: Int64, seconds: Double, text: String?) {
    #expect(Wording.fileSpeed(ByteCount(bytes), over: seconds) == text)
  }

  @Test func percentReaches100OnlyAtTheEnd() {
    #expect(Wording.percent(0.9999) == "99%")
    #expect(Wording.percent(1) == "100%")
    #expect(Wording.percent(-0.5) == "0%")
    #expect(Wording.percent(.infinity) == "100%")
  }

  static let colors: [([String: String], Terminal.ColorChoice, Bool)] = [
    (["TERM": "xterm"], .auto, false), (["TERM": "xterm", "CLICOLOR_FORCE": "1"], .auto, true),
    (["CLICOLOR_FORCE": "0"], .auto, false), (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], .auto, false),
    (["NO_COLOR": "1"], .always, true), (["CLICOLOR_FORCE": "1"], .never, false),
  ]

  @Test(arguments: colors) func optionsBeatTheEnvironment(
    _ environment: [String: String], _ choice: Terminal.ColorChoice, _ isColored: Bool
  ) {
    let descriptor = open("/dev/null", O_WRONLY)
    defer { close(descriptor) }
    let terminal = Terminal(descriptor: descriptor, environment: environment, color: choice)
    #expect(terminal.palette.isColored == isColored)
    #expect(!terminal.canRedraw && terminal.columns == nil)
  }

  @Test(arguments: [("aply", "apply"), ("chekc", "check"), ("stauts", "status"), ("verfy", "verify")])
  func nearestNamesAreFound(_ typed: String, _ meant: String) {
    #expect(NearestName.of(typed, among: CommandWord.allCases.map(\.rawValue)) == meant)
  }

  @Test func nothingIsNearToSomethingElse() {
    #expect(NearestName.of("frobnicate", among: CommandWord.allCases.map(\.rawValue)) == nil)
    #expect(NearestName.of("", among: ["a"]) == nil)
    #expect(NearestName.of(String(repeating: "a", count: 100_000), among: ["apply"]) == nil)
  }
}
