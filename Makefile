# The front door. `make` alone says what there is.
SHELL = /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=
CHECK = --explicit-target-dependency-import-check error
BINARY = .build/release/dlsync
BIN = $(DESTDIR)$(PREFIX)/bin
MAN = $(DESTDIR)$(PREFIX)/share/man
SHARE = $(DESTDIR)$(PREFIX)/share
BASH_COMPLETION = $(SHARE)/bash-completion/completions/dlsync
ZSH_COMPLETION = $(SHARE)/zsh/vendor-completions/_dlsync
FISH_COMPLETION = $(SHARE)/fish/vendor_completions.d/dlsync.fish
DOC = $(DESTDIR)$(PREFIX)/share/doc/dlsync

# make fuzz: so many seconds for each kind of input, from this seed (none: another one each time)
SECONDS_EACH ?= 60
SEED ?=

.PHONY: help setup build demo docs test torture lint fuzz bench count matrix pictures install uninstall clean

help:
	@echo 'make build      builds the release binary, $(BINARY)'
	@echo 'make demo       shows plan, apply, a second apply and a conflict, for real, on this machine'
	@echo 'make docs       makes the documentation of the library, an archive and a static site'
	@echo 'make test       runs every test'
	@echo 'make fuzz       tries the readers of manifests and lists on random input (SECONDS_EACH=60 SEED=)'
	@echo 'make torture    kills runs, steps the clock and storms with commands, at random and for long (KILLS=500 SEED=…)'
	@echo 'make lint       checks formatting, manual pages, scripts and sizes'
	@echo 'make bench      compares with curl, aria2c, wget2, rclone and make, in five minutes (FULL=1: in an hour)'
	@echo 'make count      counts the instructions of fixed work and compares with the recorded ones'
	@echo 'make matrix     tries the release binary on nginx, Apache, lighttpd, h2o, Caddy and Python'
	@echo 'make pictures   makes the pictures of the README anew, from real runs'
	@echo 'make install    installs the binary, manual pages, completions and examples below PREFIX ($(PREFIX)), DESTDIR in front'
	@echo 'make uninstall  removes them again'
	@echo 'make clean      removes everything that was built'
	@echo
	@echo 'Each installs the Debian packages that it needs and that are missing (scripts/setup).'

build:
	@scripts/setup build
	swift build -c release --product dlsync --static-swift-stdlib $(CHECK)

demo: build
	@scripts/setup demo
	@scripts/demo $(BINARY)

docs:
	@scripts/setup build
	@scripts/docs

test:
	@scripts/setup test
	swift build --build-tests $(CHECK)
	@# Three rounds: what computes, what watches the clock, what waits for processes. Together, on two cores, the second
	@# would measure the others.
	swift test --disable-xctest --skip-build --parallel $(CHECK) --skip '^(ThreadingTests|SystemTests|TransferTests|KitTests|CLITests|CrashTests)\.'
	swift test --disable-xctest --skip-build --parallel $(CHECK) --filter '^(ThreadingTests|SystemTests|TransferTests|KitTests)\.'
	swift test --disable-xctest --skip-build --parallel $(CHECK) --filter '^(CLITests|CrashTests)\.'

# An hour of what the tests do for seconds. Each prints its seed; the same SEED does the same again.
KILLS ?= 500
torture: build
	@scripts/setup torture
	@for torture in kills large storm clock; do \
	  count=; case $$torture in kills) count="--kills $(KILLS)";; esac; \
	  python3 scripts/torture/$$torture.py --binary $(BINARY) $$count $(if $(SEED),--seed $(SEED)) || exit 1; \
	done

lint:
	@scripts/setup lint
	@scripts/lint

fuzz:
	@scripts/setup build
	swift build -c release --product dlsync-fuzz --static-swift-stdlib $(CHECK)
	for kind in structured raw; do .build/release/dlsync-fuzz $$kind $(SECONDS_EACH) $(SEED) || exit 1; done

bench: build
	@scripts/setup bench
	python3 Benchmarks/run.py --binary $(BINARY) $(if $(FULL),--full)
	python3 Benchmarks/progress.py --binary $(BINARY) $(if $(FULL),,--rounds 1 --seconds 10)

count: build
	@scripts/setup count
	python3 Benchmarks/instructions.py --binary $(BINARY)

matrix: build
	@scripts/setup matrix
	python3 scripts/matrix/run.py --binary $(BINARY)

pictures: build
	python3 docs/images/record.py $(BINARY)

# Does not build over a binary that is there: root, who installs, often has no Swift. `make build` brings it up to date.
$(BINARY):
	$(MAKE) build

install: $(BINARY)
	install -d $(BIN) $(MAN)/man1 $(MAN)/man5 $(DOC)
	install -m 0755 $(BINARY) $(BIN)/dlsync
	install -m 0644 man/dlsync.1 $(MAN)/man1/
	install -m 0644 man/dlsync-manifest.5 $(MAN)/man5/
	install -d $(dir $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION))
	$(BIN)/dlsync completions bash >$(BASH_COMPLETION)
	$(BIN)/dlsync completions zsh >$(ZSH_COMPLETION)
	$(BIN)/dlsync completions fish >$(FISH_COMPLETION)
	install -m 0644 README.md CHANGELOG.md LICENSE $(DOC)/
	cp -R examples $(DOC)/

uninstall:
	rm -f $(BIN)/dlsync $(MAN)/man1/dlsync.1 $(MAN)/man5/dlsync-manifest.5
	rm -f $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)
	rm -rf $(DOC)

clean:
	rm -rf .build
