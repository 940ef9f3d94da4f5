"""The servers of the matrix: each made from a few lines of configuration, on loopback ports of its own, in the foreground."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time

RANGES, CONDITIONS, STREAM, PACKED = "ranges", "304", "chunked", "gzip"


def free_port():
    with contextlib.closing(socket.socket()) as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """One server program on two ports: plain, and TLS where it speaks that."""

    name = ""
    program = ""
    # What it can do in this configuration; a column that it cannot do is left out.
    can = {RANGES, CONDITIONS, STREAM, PACKED}
    tls = True
    # Where `streamed` lies: a file whose body comes without a length.
    streamed = "/streamed/index.shtml"

    def __init__(self, place, www, certificate, key):
        self.place, self.www, self.certificate, self.key = place, www, certificate, key
        self.plain, self.secure = free_port(), free_port()
        self.log = os.path.join(place, "access.log")
        os.makedirs(place, exist_ok=True)
        self.process = None

    @classmethod
    def version(cls):
        path = shutil.which(cls.program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
        return path

    def write(self, name, text):
        path = os.path.join(self.place, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def command(self):
        raise NotImplementedError

    def __enter__(self):
        with open(os.path.join(self.place, "output"), "wb") as output:
            self.process = subprocess.Popen(
                self.command(), stdout=output, stderr=output, cwd=self.place, env={**os.environ, "HOME": self.place})
        for port in [self.plain] + ([self.secure] if self.tls else []):
            for _ in range(200):
                with contextlib.suppress(OSError), contextlib.closing(socket.create_connection(("127.0.0.1", port), 1)):
                    break
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
            else:
                raise RuntimeError(f"{self.name} does not answer")
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} ended: " + open(os.path.join(self.place, "output"), errors="replace").read()[-400:])
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def url(self, path, secure=False):
        return f"https://localhost:{self.secure}{path}" if secure else f"http://127.0.0.1:{self.plain}{path}"


class Nginx(Server):
    name, program = "nginx", "nginx"

    def command(self):
        temps = " ".join(f"{k}_temp_path {self.place}/{k};" for k in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        conf = self.write("nginx.conf", f"""
daemon off; worker_processes 2; pid {self.place}/pid; error_log {self.place}/error.log; {"user root;" if os.getuid() == 0 else ""}
events {{}}
http {{ {temps} log_format v '$server_port $server_protocol $status'; access_log {self.log} v; default_type application/octet-stream;
 types {{ text/plain txt; text/html shtml; }} gzip on; gzip_types *; gzip_min_length 1;
 server {{ listen 127.0.0.1:{self.plain}; listen 127.0.0.1:{self.secure} ssl http2; root {self.www};
  ssl_certificate {self.certificate}; ssl_certificate_key {self.key};
  location /streamed/ {{ ssi on; }} location /packed/ {{ add_header Content-Encoding gzip; }} }} }}""")
        return [self.version(), "-c", conf, "-p", self.place]


class Apache(Server):
    name, program = "Apache", "apache2"

    def command(self):
        modules = "/usr/lib/apache2/modules"
        names = "mpm_event authz_core mime dir headers deflate filter include http2 ssl".split()
        load = "\n".join(f"LoadModule {n}_module {modules}/mod_{n}.so" for n in names)
        conf = self.write("apache.conf", f"""
{load}
ServerRoot {self.place}
ServerName localhost
PidFile {self.place}/pid
DefaultRuntimeDir {self.place}
Mutex file:{self.place}
Listen 127.0.0.1:{self.plain}
Listen 127.0.0.1:{self.secure}
ErrorLog {self.place}/error.log
LogFormat "%{{local}}p %H %>s" v
CustomLog {self.log} v
Protocols h2 http/1.1
DocumentRoot {self.www}
TypesConfig /dev/null
AddType text/plain .txt
AddType text/html .shtml
AddOutputFilterByType DEFLATE text/plain text/html application/octet-stream
<Directory {self.www}>
  Require all granted
</Directory>
<Directory {self.www}/streamed>
  Options +Includes
  AddOutputFilter INCLUDES .shtml
</Directory>
<Directory {self.www}/packed>
  Header set Content-Encoding gzip
</Directory>
<VirtualHost 127.0.0.1:{self.secure}>
  SSLEngine on
  SSLCertificateFile {self.certificate}
  SSLCertificateKeyFile {self.key}
</VirtualHost>
""")
        return [self.version(), "-X", "-f", conf] if os.getuid() else [self.version(), "-D", "FOREGROUND", "-f", conf]


class Lighttpd(Server):
    name, program = "lighttpd", "lighttpd"
    can = {RANGES, CONDITIONS, PACKED}

    def command(self):
        conf = self.write("lighttpd.conf", f"""
server.modules = ("mod_setenv", "mod_deflate", "mod_accesslog", "mod_openssl")
server.document-root = "{self.www}"
server.bind = "127.0.0.1"
server.port = {self.plain}
server.errorlog = "{self.place}/error.log"
accesslog.filename = "{self.log}"
accesslog.format = "%p %H %s"
mimetype.assign = (".txt" => "text/plain", "" => "application/octet-stream")
deflate.mimetypes = ("text/plain", "application/octet-stream")
deflate.allowed-encodings = ("gzip")
deflate.cache-dir = "{self.place}"
$HTTP["url"] =~ "^/packed/" {{ setenv.set-response-header = ("Content-Encoding" => "gzip") }}
$SERVER["socket"] == "127.0.0.1:{self.secure}" {{
  ssl.engine = "enable"
  ssl.pemfile = "{self.certificate}"
  ssl.privkey = "{self.key}"
}}
""")
        return [self.version(), "-D", "-f", conf]


class H2O(Server):
    name, program = "h2o", "h2o"
    can = {RANGES, CONDITIONS, PACKED}

    def command(self):
        conf = self.write("h2o.conf", f"""
user: {"root" if os.getuid() == 0 else os.environ.get("USER", "nobody")}
pid-file: {self.place}/pid
error-log: {self.place}/error.log
access-log:
  path: {self.log}
  format: "%p %H %s"
gzip: ON
file.mime.addtypes:
  text/plain: .txt
listen: {{ host: 127.0.0.1, port: {self.plain} }}
listen: {{ host: 127.0.0.1, port: {self.secure}, ssl: {{ certificate-file: {self.certificate}, key-file: {self.key} }} }}
hosts:
  default:
    paths:
      /:
        file.dir: {self.www}
      /packed:
        file.dir: {self.www}/packed
        header.set: "Content-Encoding: gzip"
""")
        return [self.version(), "-c", conf]


class Caddy(Server):
    name, program = "Caddy", "caddy"

    def command(self):
        conf = self.write("Caddyfile", f"""
{{
  admin off
  auto_https off
  skip_install_trust
  storage file_system {self.place}/storage
}}
(site) {{
  root * {self.www}
  log {{
    output file {self.log}
    format json
  }}
  encode gzip
  header /packed/* Content-Encoding gzip
  templates /streamed/*
  file_server
}}
http://127.0.0.1:{self.plain} {{
  bind 127.0.0.1
  import site
}}
https://localhost:{self.secure} {{
  bind 127.0.0.1
  tls {self.certificate} {self.key}
  import site
}}
""")
        return [self.version(), "run", "--config", conf, "--adapter", "caddyfile"]


class Python10(Server):
    """What `python3 -m http.server` is: HTTP/1.0, one request a connection, no ranges."""

    name, program, tls, can = "Python http.server", "python3", False, {CONDITIONS}
    protocol = "HTTP/1.0"

    def command(self):
        code = f"""
import functools, http.server
class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = {self.protocol!r}
    def log_request(self, code="-", size="-"):
        with open({self.log!r}, "a") as f: print({self.plain}, self.protocol_version, int(code), file=f)
http.server.ThreadingHTTPServer(("127.0.0.1", {self.plain}), functools.partial(Handler, directory={self.www!r})).serve_forever()
"""
        return [sys.executable, "-c", code]


class Python11(Python10):
    """The same with persistent connections."""

    name, protocol = "Python http.server 1.1", "HTTP/1.1"


ALL = [Nginx, Apache, Lighttpd, H2O, Caddy, Python10, Python11]
