#!/usr/bin/env python3
"""Makes the pictures of the README from real runs on this machine.

usage: docs/images/record.py BINARY

session.svg    a terminal session, as the terminal saw it: text, times and colours are what the program wrote
report-*.png   the HTML report of that session in a headless Chromium, where there is one

The files come from a server that this script starts on the loopback interface: it is slow, busy at times, and does not
have one of the files.
"""
import fcntl, html, http.server, os, pathlib, pty, re, select, shutil, socketserver, struct, subprocess, sys, tempfile
import termios, threading, time

COLUMNS, ROWS = 92, 21
FOLDER = pathlib.Path(__file__).resolve().parent

MANIFEST = """\
version: 1
name: debian-mirror
baseURL: http://127.0.0.1:{port}/
root: mirror
queues:
  default: {{ concurrency: 4, progressInterval: 100ms, retry: {{ baseDelay: 1500ms }} }}
files:
{files}
"""
# Name, size in kB, bytes a second in kB, requests that are answered 503 first.
FILES = [
    ("images/debian-12-generic-amd64.qcow2", 6200, 1250, 0), ("images/netboot/amd64/linux", 2900, 1100, 0),
    ("images/netboot/amd64/initrd.gz", 3900, 900, 0), ("pool/main/c/curl/curl_7.88.1-10_amd64.deb", 640, 420, 1),
    ("pool/main/g/git/git_2.39.5-0_amd64.deb", 1700, 800, 0), ("pool/main/n/nginx/nginx_1.22.1-9_amd64.deb", 520, 400, 0),
    ("pool/main/o/openssl/openssl_3.0.17-1_amd64.deb", 1400, 700, 0), ("pool/main/z/zlib/zlib1g_1.2.13_amd64.deb", 90, 300, 0),
    ("pool/main/t/tar/tar_1.34_amd64.deb", 900, 500, 0), ("dists/Release", 150, 400, 0),
    ("dists/Release.asc", 0, 1, -1),
]


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    asked = {}

    def log_message(self, *arguments):
        pass

    def empty(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self):
        name = self.path.lstrip("/")
        size, rate, refusals = next((s * 1000, r * 1000, n) for f, s, r, n in FILES if f == name)
        self.asked[name] = self.asked.get(name, 0) + 1
        if refusals < 0:
            return self.empty(404)
        if self.asked[name] <= refusals:
            return self.empty(503)
        self.send_response(200)
        self.send_header("Content-Length", str(size))
        self.end_headers()
        begun, sent = time.monotonic(), 0
        while sent < size:
            piece = min(16_384, size - sent)
            self.wfile.write(b"\x5a" * piece)
            sent += piece
            time.sleep(max(0, begun + sent / rate - time.monotonic()))


class Screen:
    """The part of a terminal that dlsync uses: it fails at anything else."""

    def __init__(self):
        self.lines, self.row, self.column, self.style = [[]], 0, 0, ""

    def write(self, text):
        for part in re.findall(r"\x1b\[[?0-9;]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", text):
            if part == "\r":
                self.column = 0
            elif part == "\n":
                self.row += 1
                while len(self.lines) <= self.row:
                    self.lines.append([])
            elif part[0] == "\x1b":
                self.control(part[-1], part[2:-1])
            else:
                self.put(part)

    def control(self, letter, parameters):
        line = self.lines[self.row]
        if letter == "m":
            self.style = "" if parameters in ("", "0") else (self.style + ";" + parameters).strip(";")
        elif letter == "A":
            self.row = max(0, self.row - int(parameters or 1))
        elif letter == "G":
            self.column = int(parameters or 1) - 1
        elif letter == "K":
            del line[self.column:]
        elif letter == "J":
            del line[self.column:], self.lines[self.row + 1:]
        elif letter not in "hl":
            raise ValueError(f"unexpected control sequence {letter}")

    def put(self, text):
        for character in text:
            if self.column == COLUMNS:
                self.column = 0
                self.row += 1
                while len(self.lines) <= self.row:
                    self.lines.append([])
            line = self.lines[self.row]
            line += [(" ", "")] * (self.column + 1 - len(line))
            line[self.column] = (character, self.style)
            self.column += 1

    def picture(self):
        return tuple(tuple(line) for line in self.lines[-ROWS:])


def typed(screen, frames, clock, text):
    """A prompt and a command, typed by nobody."""
    screen.write("\x1b[32m$\x1b[0m ")
    for position in range(0, len(text), 3):
        screen.write(text[position:position + 3])
        clock += 0.06
        frames.append((clock, screen.picture()))
    screen.write("\r\n")
    return clock + 0.4


def run(screen, frames, clock, command, folder, environment):
    """Runs a command in a pseudo-terminal, and takes a picture whenever it has drawn."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execve(command[0], command, environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    begun, last = time.monotonic(), -1.0
    while True:
        readable, _, _ = select.select([terminal], [], [], 0.05)
        if readable:
            try:
                data = os.read(terminal, 65_536)
            except OSError:
                data = b""
            if not data:
                break
            screen.write(data.decode())
        now = time.monotonic() - begun
        if now - last > 0.19 and screen.picture() != frames[-1][1]:
            frames.append((clock + now, screen.picture()))
            last = now
    os.waitpid(process, 0)
    clock += time.monotonic() - begun
    frames.append((clock, screen.picture()))
    return clock + 1.6


COLORS = {"31": "#f2727b", "32": "#5fd38d", "33": "#e8b45a", "36": "#6cc7dd", "90": "#4a515c"}


def spans(line):
    """A line as SVG text: one piece for each stretch of one style, each at its own place."""
    pieces, start = [], 0
    while start < len(line):
        style, end = line[start][1], start
        while end < len(line) and line[end][1] == style:
            end += 1
        text = "".join(character for character, _ in line[start:end])
        if text.strip():
            codes = style.split(";")
            attributes = "".join(f' fill="{COLORS[code]}"' for code in codes if code in COLORS)
            if "1" in codes:
                attributes += ' font-weight="700"'
            if "2" in codes and "90" not in codes:
                attributes += ' fill="#8b93a1"'
            lead = len(text) - len(text.lstrip())
            body = html.escape(text.strip().replace(" ", "\u00a0"), quote=False)
            width = len(text.strip()) * 8.4
            pieces.append(f'<tspan x="{(start + lead) * 8.4:.1f}" textLength="{width:.1f}"{attributes}>{body}</tspan>')
        start = end
    return "".join(pieces)


def svg(frames):
    """All frames in one picture that changes by CSS; each different line is stored once."""
    width, height = COLUMNS * 8.4 + 40, ROWS * 19 + 62
    length = frames[-1][0] + 4
    stored, groups, rules = {}, [], []
    for number, (moment, lines) in enumerate(frames):
        end = frames[number + 1][0] if number + 1 < len(frames) else length
        uses = []
        for row, line in enumerate(lines):
            text = spans(line)
            if text:
                key = stored.setdefault(text, f"l{len(stored)}")
                uses.append(f'<use href="#{key}" y="{row * 19}"/>')
        groups.append(f'<g class="f f{number}">{"".join(uses)}</g>')
        begin, stop = moment / length * 100, end / length * 100
        before = f"0%,{begin - 0.001:.3f}%{{visibility:hidden}}" if number else ""
        after = f"{stop:.3f}%,100%{{visibility:hidden}}" if number + 1 < len(frames) else ""
        rules.append(f"@keyframes k{number}{{{before}{begin:.3f}%,{stop - 0.001:.3f}%{{visibility:visible}}{after}}}"
                     f".f{number}{{animation-name:k{number}}}")
    definitions = "".join(f'<text id="{key}">{text}</text>' for text, key in stored.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img" '
        'aria-label="dlsync plan, then dlsync apply, in a terminal">\n<style>'
        'text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d9dce1;'
        'white-space:pre}'
        f".f{{visibility:hidden;animation:{length:.2f}s steps(1) infinite}}"
        # Who wants no movement sees the end.
        "@media (prefers-reduced-motion:reduce){.f{animation:none}.f:last-of-type{visibility:visible}}"
        + "".join(rules) + "</style>\n"
        f'<defs>{definitions}</defs>\n<rect width="{width:.0f}" height="{height}" rx="10" fill="#15181d"/>'
        '<circle cx="22" cy="21" r="6" fill="#f2727b"/><circle cx="42" cy="21" r="6" fill="#e8b45a"/>'
        '<circle cx="62" cy="21" r="6" fill="#5fd38d"/>'
        f'<g transform="translate(20 57)">\n' + "\n".join(groups) + "\n</g></svg>\n")


def main():
    binary = os.path.abspath(sys.argv[1])
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        files = "\n".join(
            f"  - {{ url: {name}, destination: {name}{f', size: {size}kB' if size else ''} }}" for name, size, *_ in FILES)
        pathlib.Path(folder, "mirror.yaml").write_text(MANIFEST.format(port=server.server_port, files=files))
        environment = {"HOME": folder, "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}
        screen = Screen()
        frames, clock = [(0.0, screen.picture())], 0.6
        for words in (["plan", "mirror.yaml"], ["apply", "mirror.yaml", "--report", "report.html"], ["apply", "mirror.yaml"]):
            clock = typed(screen, frames, clock, " ".join(["dlsync"] + words))
            clock = run(screen, frames, clock, [binary] + words, folder, environment)
        frames.append((clock, screen.picture()))
        (FOLDER / "session.svg").write_text(svg(frames))
        chromium = shutil.which("chromium")
        for scheme in ("light", "dark") if chromium else ():
            options = ["--blink-settings=preferredColorScheme=0", "--force-dark-mode"] if scheme == "dark" else []
            subprocess.run(
                [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1180,1480",
                 f"--user-data-dir={folder}/chromium", f"--screenshot={FOLDER}/report-{scheme}.png", *options,
                 f"file://{folder}/report.html"],
                check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


main()
