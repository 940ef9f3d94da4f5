#!/usr/bin/env python3
"""Makes reports of real runs and holds them against the programs that read them.

usage: scripts/check-reports.py BINARY [FOLDER]

HTML        opened in a headless Chromium, with 3 and with 50,000 files: no word on the console, nothing loaded, the table
            sorts, filters and searches, the timeline shows what the JSON report says. Screenshots go to FOLDER.
Prometheus  promtool check metrics
JUnit       xmllint --schema $JUNIT_XSD, the schema of whoever is to read it

A program that is not installed is said and skipped. The files come from a server that this script starts on the loopback
interface.
"""
import asyncio, base64, json, os, pathlib, re, shutil, subprocess, sys, tempfile, threading, time
import xml.etree.ElementTree as ElementTree

BINARY = os.path.abspath(sys.argv[1])
MANY = 50_000


def say(text):
    print(text, flush=True)


def hold(condition, text):
    if not condition:
        sys.exit(f"check-reports: {text}")


class Server(asyncio.Protocol):
    """Answers what the paths ask for: /SIZE/NAME, /gone/NAME is a 404, /busy/SIZE/NAME is a 503 the first time,
    /slow/SIZE/NAME takes a second."""

    busy = set()

    def connection_made(self, transport):
        self.transport, self.data = transport, b""

    def data_received(self, data):
        self.data += data
        while b"\r\n\r\n" in self.data:
            head, self.data = self.data.split(b"\r\n\r\n", 1)
            self.answer(head.split(b" ", 2)[1].decode())

    def answer(self, path):
        kind = path.split("/")[1]
        if kind == "gone" or kind == "busy" and path not in self.busy:
            self.busy.add(path)
            self.send("404 Not Found" if kind == "gone" else "503 Service Unavailable", b"")
        else:
            size = int(re.search(r"\d+", path)[0])
            body = (b"%d " % size * (size // 2 + 1))[:size]
            self.send("200 OK", body, pieces=10 if kind == "slow" else 1)

    def send(self, status, body, pieces=1):
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        if pieces == 1:
            return self.transport.write(head + body)
        self.transport.write(head)
        step = -(-len(body) // pieces)
        for number in range(pieces):
            piece = body[number * step:(number + 1) * step]
            asyncio.get_running_loop().call_later(0.1 * (number + 1), self.transport.write, piece)


def serve():
    """Starts the server; gives its port."""
    loop, ports = asyncio.new_event_loop(), []
    ready = threading.Event()

    async def start():
        server = await loop.create_server(Server, "127.0.0.1", 0, backlog=512)
        ports.append(server.sockets[0].getsockname()[1])
        ready.set()
        await server.serve_forever()

    threading.Thread(target=lambda: loop.run_until_complete(start()), daemon=True).start()
    ready.wait()
    return ports[0]


class Browser:
    """Chromium, spoken to over a pipe (the DevTools protocol: JSON texts that end with a zero byte)."""

    def __init__(self, program, folder, *options):
        to_browser, from_browser = os.pipe(), os.pipe()
        keep = [os.dup(to_browser[0]), os.dup(from_browser[1])]

        def place():
            os.dup2(keep[0], 3)
            os.dup2(keep[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={folder}/chromium", *options], preexec_fn=place, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for descriptor in (to_browser[0], from_browser[1], *keep):
            os.close(descriptor)
        self.writer, self.reader = to_browser[1], os.fdopen(from_browser[0], "rb", 0)
        self.data, self.number, self.session, self.events = b"", 0, None, []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(domain + ".enable")

    def message(self):
        while b"\0" not in self.data:
            piece = self.reader.read(1 << 20)
            hold(piece, "Chromium went away")
            self.data += piece
        text, self.data = self.data.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.writer, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                hold("error" not in answer, f"{method}: {answer.get('error')}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path):
        """Opens a file; gives the seconds until it was there."""
        self.events.clear()
        begun = time.monotonic()
        self.ask("Page.navigate", url=f"file://{path}")
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())
        # Two frames later everything in sight is drawn.
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        return time.monotonic() - begun

    def value(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        hold("exceptionDetails" not in result, f"{expression}: {result.get('exceptionDetails')}")
        return result["result"].get("value")

    def complaints(self):
        """What was said on the console, and what was loaded besides the page."""
        said = [event for event in self.events if event.get("method") in
                ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")]
        loaded = [event["params"]["request"]["url"] for event in self.events
                  if event.get("method") == "Network.requestWillBeSent"]
        return said + loaded[1:]

    def look(self, columns, rows, scheme="light", whole=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=columns, height=rows, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        return base64.b64decode(self.ask("Page.captureScreenshot", captureBeyondViewport=whole)["data"])

    def close(self):
        os.close(self.writer)
        self.process.terminate()
        self.process.wait(10)


# What a filter hides is asked of blocks that were laid out: a browser that has to lay out one skipped block for each
# question takes minutes.
LAY_OUT = """{const sheet = new CSSStyleSheet(); sheet.replaceSync('tbody { content-visibility: visible !important }');
    document.adoptedStyleSheets = [sheet]}"""
ROWS = "[...document.querySelectorAll('tbody tr')]"
SHOWN = ROWS + ".filter(row => row.checkVisibility()).length"
NAMES = ROWS + ".slice(0, 300).map(row => row.cells[1].firstChild.data)"


def size_in_bytes(text):
    number, unit = text.split()
    return float(number) * 1024 ** ["B", "KiB", "MiB", "GiB"].index(unit)


def check_table(browser, report):
    """Sorts, filters and searches as a reader does; gives the seconds that the slowest answer took."""
    heads = browser.value("[...document.querySelectorAll('th')].map(cell => cell.textContent)")
    click = "document.querySelectorAll('th')[{}].click()".format
    times = []

    def timed(expression):
        begun = time.monotonic()
        browser.value(expression + "; new Promise(done => requestAnimationFrame(() => done(1)))")
        times.append(time.monotonic() - begun)

    timed(click(heads.index("size")))
    sizes = browser.value(f"{ROWS}.slice(0, 300).map(row => row.cells[{heads.index('size')}].textContent)")
    sizes = [size_in_bytes(size) for size in sizes if size]
    hold(sizes == sorted(sizes, reverse=True), "the table is not sorted by size, the largest first")
    timed(click(heads.index("file")))
    names = browser.value(NAMES)
    hold(names == sorted(names, key=lambda name: [int(part) if part.isdigit() else part
                                                  for part in re.split(r"(\d+)", name)]), "not sorted by name")
    timed(click(heads.index("file")))
    hold(browser.value(NAMES)[0] != names[0], "a second click does not turn the order")
    for word in ("failed", "all"):
        timed(f"document.querySelector('.f-{word}').click()")
    slowest = max(times)
    browser.value(LAY_OUT)
    for word, count in (("failed", report["summary"]["failed"]), ("all", len(report["files"]))):
        timed(f"document.querySelector('.f-{word}').click()")
        shown = browser.value(SHOWN)
        hold(shown == count, f"the filter '{word}' shows {shown} rows of {count}")
    name = pathlib.Path(report["files"][-1]["destination"]).name
    search(browser, name, 1)
    search(browser, "", len(report["files"]))
    browser.value("document.adoptedStyleSheets = []")
    return slowest


def search(browser, text, count):
    begun = time.monotonic()
    browser.value(f"{{const field = document.querySelector('input[type=search]'); field.value = '{text}'; "
                  "field.dispatchEvent(new Event('input'))}")
    while (shown := browser.value(SHOWN)) != count:
        hold(time.monotonic() - begun < 10, f"the search for '{text}' shows {shown} rows of {count}")


def check_rows(browser, report):
    """The timeline of few files, file by file: attempts, order, the end of the failed ones, the scale."""
    rows = browser.value("""[...document.querySelectorAll('.rows > div')].map(row => ({
        name: row.querySelector('b').title,
        marks: [...row.querySelectorAll('i')].map(mark => ({kind: mark.className, title: mark.title,
            left: parseFloat(mark.style.left), width: parseFloat(mark.style.width || '0')}))}))""")
    files = {file["destination"]: file for file in report["files"]}
    hold(len(rows) == len(files), f"{len(rows)} rows for {len(files)} files")
    length = report["summary"]["seconds"]
    for row in rows:
        file = next(file for name, file in files.items() if name.endswith("/" + row["name"]))
        attempts = [mark for mark in row["marks"] if mark["kind"] == "g"]
        hold(len(attempts) == file["attempts"], f"{row['name']}: {len(attempts)} attempts of {file['attempts']}")
        hold(("x" in [mark["kind"] for mark in row["marks"]]) == (file["state"] == "failed"), f"{row['name']}: the end")
        bars = [mark for mark in row["marks"] if mark["kind"] != "x"]
        for before, after in zip(bars, bars[1:]):
            hold(before["left"] + before["width"] <= after["left"] + 0.03, f"{row['name']}: bars one over another")
        shown = (bars[-1]["left"] + bars[-1]["width"] - bars[0]["left"]) / 100 * length
        hold(bars[-1]["left"] + bars[-1]["width"] <= 100.02, f"{row['name']}: a bar beyond the end")
        hold(abs(shown - file["seconds"]) < 0.1 + file["seconds"] / 10, f"{row['name']}: {shown} s, {file['seconds']} s")


def check_lanes(browser, report):
    """The timeline of many files: inside its field, every failed file marked."""
    paths = dict(browser.value("[...document.querySelectorAll('.lanes path')].map(path => "
                               "[path.getAttribute('class'), path.getAttribute('d')])"))
    hold(paths["x"].count("M") == report["summary"]["failed"], "failed files without a mark")
    for start, width in re.findall(r"M(\d+) \d+h(\d+)", paths["g"]):
        hold(int(start) + int(width) <= 10_000, "a bar beyond the end")


def run(folder, name, files, port, queue):
    manifest = pathlib.Path(folder, name + ".yaml")
    manifest.write_text(f"version: 1\nname: {name}\nbaseURL: http://127.0.0.1:{port}/\nroot: {name}\n"
                        f"queues: {{ default: {{ {queue} }} }}\nfiles:\n"
                        + "".join(f"  - {{ url: {url}, destination: {place} }}\n" for url, place in files))
    reports = {suffix: f"{folder}/{name}.{suffix}" for suffix in ("html", "json", "md", "prom", "xml")}
    environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    begun = time.monotonic()
    process = subprocess.run(
        [BINARY, "apply", manifest, "--quiet", *[word for path in reports.values() for word in ("--report", path)]],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    hold(process.returncode == 1, f"exit status {process.returncode}: {process.stderr[-500:]}")
    say(f"{name}: {len(files)} files in {time.monotonic() - begun:.1f} s, "
        + ", ".join(f"{suffix} {os.path.getsize(path) / 1024:.0f} KiB" for suffix, path in reports.items()))
    return reports


def check_others(reports):
    ElementTree.parse(reports["xml"])
    hold(os.path.getsize(reports["md"]) < 1 << 20, "a CI job's summary takes 1 MiB")
    if promtool := shutil.which("promtool"):
        with open(reports["prom"]) as metrics:
            subprocess.run([promtool, "check", "metrics"], stdin=metrics, check=True)
    else:
        say("promtool is not installed: the metrics are not checked")
    schema, xmllint = os.environ.get("JUNIT_XSD"), shutil.which("xmllint")
    if schema and xmllint:
        subprocess.run([xmllint, "--noout", "--schema", schema, reports["xml"]], check=True)
    else:
        say("JUNIT_XSD or xmllint is missing: the JUnit report is well-formed, but held against no schema")


def check_page(browser, reports, pictures, name):
    report = json.loads(pathlib.Path(reports["json"]).read_text())
    say(f"{name}: opened in {browser.open(reports['html']):.2f} s")
    slowest = check_table(browser, report)
    (check_rows if len(report["files"]) < 100 else check_lanes)(browser, report)
    hold(not browser.complaints(), f"the page is not silent: {browser.complaints()[:3]}")
    say(f"{name}: the slowest answer to a click in {slowest:.2f} s")
    for word, columns, scheme in (("light", 1180, "light"), ("dark", 1180, "dark"), ("narrow", 400, "light")):
        picture = browser.look(columns, 1400, scheme)
        pathlib.Path(pictures, f"{name}-{word}.png").write_bytes(picture)


def main():
    port = serve()
    with tempfile.TemporaryDirectory() as folder:
        pictures = sys.argv[2] if len(sys.argv) > 2 else folder
        os.makedirs(pictures, exist_ok=True)
        few = [("slow/400000/disk.img", "images/disk.img"), ("busy/90000/a.deb", "pool/a.deb"), ("gone/b", "pool/b.deb")]
        many = [(f"gone/{n}" if n % 5000 == 77 else f"busy/{n % 3000}/{n}" if n % 1000 == 5 else f"{n % 3000}/{n}",
                 f"tree/{n % 97}/file-{n}") for n in range(MANY)]
        all_reports = {
            "few": run(folder, "few", few, port, "retry: { baseDelay: 500ms }"),
            "many": run(folder, "many", many, port, "concurrency: 16, retry: { baseDelay: 200ms }"),
        }
        for reports in all_reports.values():
            check_others(reports)
        chromium = shutil.which("chromium")
        if not chromium:
            return say("chromium is not installed: the pages are not opened")
        browser = Browser(chromium, folder)
        for name, reports in all_reports.items():
            check_page(browser, reports, pictures, name)
        browser.close()
    say("check-reports: all is well")


main()
