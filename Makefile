# Everything runs from a fresh clone with Go, make, git and a C compiler (for -race).

GO       ?= go
FUZZTIME ?= 30s
CHROMIUM ?= chromium
BINARY   := bin/kubectl-sparkdoctor
MAIN     := ./cmd/kubectl-sparkdoctor
# The version and the commit are what the Go toolchain stamps; where git cannot tell (an archive of the source) there are none.
VCS      := $(shell git status --porcelain >/dev/null 2>&1 && echo auto || echo false)
# No flag changes the code: what go install builds differs in symbols and paths. Without cgo it is one file that runs on any Linux.
FLAGS    := -trimpath -buildvcs=$(VCS)
BUILD    := $(FLAGS) -ldflags "-s -w"

# The Spark Operator releases that the tests on a control plane go through: the oldest and the newest of those that
# pkg/operator/releases knows. What does not depend on the release is tested with BaseOperator of test/build.
SPARKDOCTOR_OPERATORS ?= ends
export SPARKDOCTOR_OPERATORS

.DEFAULT_GOAL := help

.PHONY: help
help: ## Show the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/kubectl-sparkdoctor
	CGO_ENABLED=0 $(GO) build $(BUILD) -o $(BINARY) $(MAIN)

# What everybody downloads stays below this, in bytes.
MAXBYTES := 70000000

.PHONY: size
size: build ## Fail if the stripped binary takes more than 70 MB
	@size=$$(wc -c < $(BINARY)); [ $$size -le $(MAXBYTES) ] || { echo "$(BINARY) takes $$size bytes, more than $(MAXBYTES)"; exit 1; }

.PHONY: install
install: ## Install the plugin into Go's bin directory (put it on PATH)
	CGO_ENABLED=0 $(GO) install $(BUILD) $(MAIN)

# Tests make much garbage and keep little of it: collected less often, it takes a quarter less of the processor's time. make lint vets
# tests, too, so that go test need not. The same go test leaves the time of each test in a file.
TIMES   := $(CURDIR)/bin/tests
TELL     = --format pkgname --hide-summary skipped --jsonfile-timing-events
TESTSUM  = GOGC=400 $(GO) tool -modfile=tools/go.mod gotestsum $(TELL)
# As make build compiles, so that each needs what the other compiled, and no C compiler. What tests build themselves is built so, too.
PLAIN    = CGO_ENABLED=0 GOFLAGS="$(FLAGS) $(shell $(GO) env GOFLAGS)"

.PHONY: unit
unit: ## The quick ones of make test, while you write
	$(PLAIN) GOGC=400 $(GO) test -vet=off -short ./...

# pkg/why takes longest, and one processor: it begins first.
.PHONY: test
test: ## Unit tests, fixtures, whole-binary scripts and frozen outputs: no cluster, no root, no network but Go modules
	@mkdir -p $(TIMES)
	$(PLAIN) $(TESTSUM) $(TIMES)/test.json -- -vet=off -timeout 20m ./pkg/why ./...

# The race detector takes four times as long, so it watches the packages that start goroutines or synchronize them. Tests that ask
# internal/sampling show it a tenth of what make test runs whole. pkg/why starts no goroutine, which internal/repo holds.
RACED    = git grep -lE '"(sync|sync/atomic|golang.org/x/sync/[a-z]+)"|^\s+go [a-z]+[.(]|t\.Parallel\(\)' -- '*.go' \
	| grep -vE '^(test|tools|pkg/why|internal)/' | xargs -n 1 dirname | sort -u | sed 's|^|./|'

.PHONY: test-race
test-race: ## The packages that start goroutines, with the race detector; needs a C compiler
	@mkdir -p $(TIMES)
	raced=$$($(RACED)) && test -n "$$raced" && $(TESTSUM) $(TIMES)/race.json -- -race -vet=off -timeout 30m $$raced

.PHONY: test-slow
test-slow: ## All inputs of what make test shows a tenth, pkg/why apart, and what compiles copies of the tree or needs a process for each input
	@mkdir -p $(TIMES)
	SPARKDOCTOR_WHOLE=1 $(PLAIN) $(TESTSUM) $(TIMES)/slow.json -- -vet=off -timeout 20m -run 'OfCONTRIBUTING$$|TakesLittleMemory$$|TakeLittleMemory$$' \
		./internal/repo ./pkg/collect/...
	sampled=$$($(NIGHTLY) | grep -vE '^\./(internal|pkg/why|pkg/collect)') && test -n "$$sampled" && \
		SPARKDOCTOR_WHOLE=1 $(PLAIN) $(TESTSUM) $(TIMES)/sampled.json -- -vet=off -timeout 20m $$sampled

.PHONY: test-tools
test-tools: ## The tests of the program that makes the table of tokens
	$(GO) -C tools/gitleaks test ./...

# The tests that run a tenth of their cases in make test. SPARKDOCTOR_TENTH=3 make test runs another tenth.
NIGHTLY  = git grep -lE 'sampling\.Nightly(Of)?\(' -- '*_test.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|'

.PHONY: test-nightly
test-nightly: ## What takes too long for each change: all cases of the corpus in each form, fuzzing, and every operator release
	@mkdir -p $(TIMES)
	nightly=$$($(NIGHTLY)) && test -n "$$nightly" && \
		SPARKDOCTOR_WHOLE=1 $(PLAIN) $(TESTSUM) $(TIMES)/nightly.json -- -vet=off -timeout 40m $$nightly
	$(MAKE) --no-print-directory fuzz
	$(MAKE) --no-print-directory test-releases

# The files hold the end of each test, and of each package without "Test".
.PHONY: counts
counts: ## How many tests of the last run of each tier passed, failed and were skipped
	@awk '/"Test":/ { for (a in n) if (index($$0, "\"Action\":\"" a "\"")) n[a]++ } \
		BEGIN { n["pass"] = n["fail"] = n["skip"] = 0 } \
		END { printf "%d passed, %d failed, %d skipped\n", n["pass"], n["fail"], n["skip"] }' $(TIMES)/*.json

.PHONY: slowest
slowest: ## The ten slowest tests of the last run of each tier
	@for file in $(TIMES)/*.json; do \
		echo "$$(basename "$$file" .json):"; \
		$(GO) tool -modfile=tools/go.mod gotestsum tool slowest --num 10 --threshold 1s --jsonfile "$$file"; \
	done

# The programs of the control plane are built once per machine and kept in the user's cache directory; the first
# line says what is built, and the tests then only start them. The program under test is built by the tests
# themselves, so that go test does not see when it changed: nothing is taken from its cache.
.PHONY: test-cluster
test-cluster: ## The tests on a real control plane only (SPARKDOCTOR_OPERATORS=2.4.0,2.5.2 picks the releases)
	@mkdir -p $(TIMES)
	$(GO) -C test run ./cmd/testbed build
	$(GO) -C test tool -modfile=../tools/go.mod gotestsum $(TELL) $(TIMES)/cluster.json -- -race -vet=off -count=1 -parallel 4 -timeout 80m ./...

# One package at a time, as there is one node at a time. Where none can run, each test says why it was skipped. Four situations
# happen; all of them take half an hour.
NODE_SITUATIONS ?=

.PHONY: test-node
test-node: ## The tests on a real kubelet (Linux and root; elsewhere they are skipped and say so; NODE_SITUATIONS=all for all situations)
	@mkdir -p $(TIMES)
	SPARKDOCTOR_NODE=1 SPARKDOCTOR_NODE_SITUATIONS=$(NODE_SITUATIONS) $(GO) -C test tool -modfile=../tools/go.mod gotestsum --format pkgname --jsonfile-timing-events $(TIMES)/node.json -- \
		-count=1 -p 1 -timeout 45m ./node/...

.PHONY: test-releases
test-releases: ## The tests on a real control plane, on every operator release
	$(MAKE) --no-print-directory test-cluster SPARKDOCTOR_OPERATORS=all

# Both need Node and npm; a browser is taken from CHROMIUM or PATH, else installed from Debian's packages.
.PHONY: browser
browser: build
	npm --prefix test/browser ci
	@command -v "$(CHROMIUM)" >/dev/null || { apt-get update -q && apt-get install -q -y --no-install-recommends chromium; }

BROWSE = SPARKDOCTOR_BINARY=$(CURDIR)/$(BINARY) PICTURES=$(CURDIR)/bin/browser CHROMIUM="$$(command -v "$(CHROMIUM)")"

.PHONY: test-browser
test-browser: browser ## The html report in headless Chromium (pictures in bin/browser)
	$(BROWSE) npm --prefix test/browser test

.PHONY: pictures
pictures: browser ## Take the pictures of the html report that the docs show (docs/report-*.png)
	$(BROWSE) node test/browser/pictures.js

.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME (30s)
	@set -e; targets=$$(grep -rhoE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' cmd pkg | cut -c6- | sort -u); \
	test -n "$$targets" || { echo "no fuzz target found"; exit 1; }; \
	for target in $$targets; do \
		for file in $$(grep -rlE --include='*_test.go' "^func $$target\(" cmd pkg); do \
			echo "fuzz $$target in $$(dirname $$file) for $(FUZZTIME)"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) ./$$(dirname $$file); \
		done; \
	done

# Pages that are copies: of the pages of checks, which stand beside the checks, and of help, whose words a test reads.
MADE = ':!docs/checks/*' ':!docs/reference/*' ':!*testdata/*'

.PHONY: lint
lint: ## Check the rules of .golangci.yml, the workflows, the words of pages and comments, and that the go.mod files are tidy
	$(GO) mod tidy -diff
	$(GO) -C test mod tidy -diff
	$(GO) -C tools/gitleaks mod tidy -diff
	$(GO) tool -modfile=tools/go.mod golangci-lint run ./...
	$(GO) -C test tool -modfile=../tools/go.mod golangci-lint run --config ../.golangci.yml ./...
	$(GO) run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
	git ls-files '*.md' '*.go' $(MADE) | xargs $(GO) run ./internal/prose/lint

.PHONY: lines
lines: ## How long Go files are, of code and of tests: the median, and the longest (make lint holds 300)
	@for tests in code tests; do \
		git ls-files '*.go' | grep $$([ $$tests = tests ] || echo -v) '_test\.go$$' | xargs -n 1 wc -l | sort -n | \
			awk -v what=$$tests '{ n[NR] = $$1 } END { print what ": median " n[int((NR + 1) / 2)] ", longest " n[NR] " of " NR " files" }'; \
	done

.PHONY: licences
licences: ## List the licences of what is compiled in; fails on one that is not allowed
	$(GO) run ./internal/release licences

# It asks vuln.go.dev what is known, and fails where the program calls it.
.PHONY: vulncheck
vulncheck: ## Known vulnerabilities of what the program calls
	$(GO) tool -modfile=tools/go.mod govulncheck ./...

# A clone without a remote, a test's say, gets one for the call.
GORELEASER = mkdir -p bin && $(GO) tool -modfile=tools/release/go.mod goreleaser
REMOTE     = GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0=https://github.com/sparkdoctor/kubectl-sparkdoctor

.PHONY: release-snapshot
release-snapshot: ## Build what a release consists of into dist/, without publishing anything
	@export $(REMOTE) && $(GORELEASER) release --snapshot --clean --skip=docker,sign
	bin/release krew krew/sparkdoctor.yaml dist

# What a tag starts, in the workflow that holds the right to publish.
.PHONY: release
release: ## Publish the tag that is checked out (the release workflow runs it)
	@$(GORELEASER) release --clean
	bin/release krew krew/sparkdoctor.yaml dist

# The first run builds goreleaser, kubectl and krew, and the program for six platforms: 20 minutes on two cores.
.PHONY: test-release
test-release: ## Build HEAD's release twice, compare it, check the krew manifest and install it with krew
	$(GO) -C test test -count=1 -timeout 60m ./release -build

.PHONY: test-monitoring
test-monitoring: ## Show the alerts of deploy/monitoring what they are for, with promtool (the first run builds it)
	$(GO) -C test test -count=1 -timeout 30m ./monitoring -promtool

.PHONY: generate
generate: build ## Write what is generated: parts of README.md and docs, roles, pages of the commands and checks, the table of tokens
	$(GO) -C tools/gitleaks run . > bin/gitleaks.go && mv bin/gitleaks.go pkg/redact/gitleaks.go
	$(GO) run ./internal/readme -binary $(BINARY) README.md docs/*.md
	CGO_ENABLED=0 $(GO) run $(FLAGS) ./cmd/kubectl-sparkdoctor/internal/reference docs
	$(BINARY) rbac --bind serviceaccount=sparkdoctor:sparkdoctor > deploy/base/rbac.yaml

.PHONY: check-generated
check-generated: generate ## Fail if a generated file is stale
	git diff --exit-code -- README.md deploy docs pkg/redact/gitleaks.go
	@! git ls-files --others --exclude-standard -- deploy docs | grep . || { echo "generated files that are not committed"; exit 1; }

.PHONY: demo
demo: build ## Scan, ask why and plan a fix on the built-in example, no cluster needed
	$(BINARY) demo

# The first run builds the control plane, ten minutes; then it takes one.
.PHONY: demo-live
demo-live: build ## Break a real control plane with the real operator in five ways, and repair it, narrated; with real pods if root on Linux
	$(GO) -C test run ./cmd/demo -binary $(CURDIR)/$(BINARY)

# Linux and root only: a kubelet runs. It takes half an hour; read the difference before you commit it.
.PHONY: record-node
record-node: build ## Record anew what a real kubelet says of every situation (RECORD_FLAGS="--only image-missing" picks some)
	$(GO) -C test run ./cmd/testbed record-node --binary $(CURDIR)/$(BINARY) $(RECORD_FLAGS) $(CURDIR)/test/node/recordings

# BENCH_OUT=docs/benchmark.md replaces the results there; BENCH_FLAGS="-sizes 1000 -also 1000" sets the sizes, -h shows all.
# It takes 25 minutes and 12 GB of memory.
.PHONY: bench
bench: build ## Measure scan beside the wire itself and kubectl, on a real control plane
	$(GO) -C test run ./bench -binary $(CURDIR)/$(BINARY) $(if $(BENCH_OUT),-out $(abspath $(BENCH_OUT))) $(BENCH_FLAGS)

.PHONY: clean
clean: ## Remove what build makes
	rm -rf bin dist
