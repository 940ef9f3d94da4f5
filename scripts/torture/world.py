"""What every torture needs: a folder of its own, an origin on loopback, the command, and trees to compare.

Standard library only; nothing leaves the machine.
"""
import contextlib, hashlib, http.server, json, os, pathlib, random, shutil, signal, subprocess, sys, tempfile, threading, time


class Failure(Exception):
    """A law that did not hold."""


def law(holds, text):
    if not holds:
        raise Failure(text)


def payload(size, seed):
    return random.Random(seed).randbytes(size)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class Resource:
    """One thing that the origin serves: its bytes, the pause before them, and their pace (bytes a second)."""

    def __init__(self, data, delay=0.0, pace=None):
        self.data, self.delay, self.pace = data, delay, pace
        self.tag = '"%s"' % sha256(data)[:16]


class Origin:
    """Serves resources by path, with ranges and strong validators, and remembers what it was asked."""

    def __init__(self, resources):
        self.resources, self.asked, self.lock = resources, [], threading.Lock()
        origin = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *_):
                pass

            def do_GET(self):
                with origin.lock:
                    origin.asked.append(self.path)
                with contextlib.suppress(OSError):
                    origin.answer(self)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads, request_queue_size = True, 256

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def url(self, path):
        return "http://127.0.0.1:%d%s" % (self.server.server_address[1], path)

    def count(self):
        with self.lock:
            return len(self.asked)

    def since(self, mark):
        with self.lock:
            return self.asked[mark:]

    def answer(self, request):
        resource = self.resources.get(request.path)
        if resource is None:
            request.send_response(404)
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        time.sleep(resource.delay)
        data, lower, upper = resource.data, 0, len(resource.data)
        asked, condition = request.headers.get("Range", ""), request.headers.get("If-Range")
        isRange = asked.startswith("bytes=") and condition in (None, resource.tag)
        if isRange:
            first, _, last = asked[6:].partition("-")
            lower, upper = int(first), min(int(last) + 1, len(data)) if last else len(data)
        request.send_response(206 if isRange else 200)
        if isRange:
            request.send_header("Content-Range", "bytes %d-%d/%d" % (lower, upper - 1, len(data)))
        request.send_header("Content-Length", str(upper - lower))
        request.send_header("Accept-Ranges", "bytes")
        request.send_header("ETag", resource.tag)
        request.end_headers()
        began, step = time.monotonic(), 65536
        for offset in range(lower, upper, step):
            request.wfile.write(data[offset : min(offset + step, upper)])
            if resource.pace:
                ahead = (offset + step - lower) / resource.pace - (time.monotonic() - began)
                if ahead > 0:
                    time.sleep(ahead)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class World:
    """A folder with a state and a home of its own, and the command in it."""

    def __init__(self, binary):
        self.binary = os.path.abspath(binary)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dlsync-torture-"))
        self.out = self.folder / "out"
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8", "TERM": "dumb",
                            "DLSYNC_STATE": str(self.folder / "state")}

    def manifest(self, text, name="manifest.yaml"):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def start(self, *arguments, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **options}
        return subprocess.Popen([self.binary, *arguments], cwd=self.folder, env=self.environment,
                                start_new_session=True, **options)

    def run(self, *arguments, limit=120):
        process = self.start(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            output, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Failure("dlsync %s did not end within %d s" % (" ".join(arguments), limit))
        return process.returncode, output, errors

    def json(self, *arguments, **options):
        status, output, errors = self.run(*arguments, "--format", "json", **options)
        try:
            return status, json.loads(output)
        except ValueError:
            raise Failure("dlsync %s: exit %d, no JSON: %r %r" % (" ".join(arguments), status, output[-300:], errors[-300:]))

    def tree(self):
        """Every file below the root: its digest and mode by its name."""
        found = {}
        for folder, _, names in os.walk(self.out):
            for name in names:
                path = pathlib.Path(folder) / name
                found[str(path.relative_to(self.out))] = (sha256(path.read_bytes()), path.stat().st_mode)
        return found

    def close(self):
        with contextlib.suppress(Exception):
            self.run("agent", "stop", limit=20)
        shutil.rmtree(self.folder, ignore_errors=True)


def kill(process):
    with contextlib.suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)
    process.wait()


def main(torture, **defaults):
    """Runs a torture with the command line's figures; a law that does not hold ends it with the seed and status 1."""
    import argparse
    parser = argparse.ArgumentParser(description=torture.__doc__)
    parser.add_argument("--binary", default=".build/release/dlsync", help="the command that is tried")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32), help="of everything random")
    for name, value in defaults.items():
        parser.add_argument("--" + name, type=type(value), default=value)
    options = parser.parse_args()
    print("%s: seed %d, %s" % (pathlib.Path(sys.argv[0]).stem, options.seed,
                               ", ".join("%s %s" % (name, getattr(options, name)) for name in defaults)), flush=True)
    try:
        torture(options)
    except Failure as failure:
        print("FAILED (seed %d): %s" % (options.seed, failure))
        sys.exit(1)
