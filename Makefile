# The table of contents of daily work; `make` alone prints it.
.PHONY: help run test test-fast test-nightly check bench quality quality-check examples fuzz python-client mcp-client simulate chaos cluster cluster-chaos mutants stand-in build install prerequisites browser bare-machine node-versions clean
export ONNXRUNTIME_NODE_INSTALL := skip
# swagger-ui-dist would tell its makers of the installation
export SCARF_ANALYTICS := false
NODE_BIN := node_modules/.bin

help:     ## Show this list
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/: .*## /\t/' | expand -t 16

run: prerequisites build ## Install what is missing, start the engines and the service, import the sample on the first start
	@node dist/main.js up

VITEST := $(NODE_BIN)/vitest run --reporter=default --reporter=./test/slowest.ts

test: prerequisites browser build ## All tests, the engines' included (they start on free ports)
	@$(VITEST) --reporter=json --outputFile.json=dist/test-report.json

test-fast: build ## The tests that need no engine: about a minute
	@$(VITEST) --project unit

examples: prerequisites build ## Record the examples of the OpenAPI document from the contract test, then write the document and the client's types
	@RECORD_EXAMPLES=1 $(VITEST) --project service test/pipeline/service/contract.test.ts
	@npx tsx src/main.ts openapi > dist/openapi.json && mv dist/openapi.json docs/openapi.json && npm run -s sdk:types

test-nightly: prerequisites browser build ## All tests, the long ones at their full size
	@TEST_SIZE=nightly $(VITEST)

CHECKS := lint types format layers unused parity
check: prerequisites install ## Format, types, lint, layers, dead code, parity; two at a time
	@$(MAKE) -j2 --no-print-directory $(CHECKS:%=check-%)
check-%:
	@sh .ci/say.sh $* npm run --silent $*

bench: prerequisites build ## Speed and memory, each figure as a ratio against a baseline of the same run
	@node dist/main.js bench

quality: prerequisites build ## Entity (by type too), sentiment, story and duplicate scores on the labelled sets
	@node dist/main.js quality all

quality-check: prerequisites build ## A fixed part of the sets, under 2 minutes: fails when stories fell by more than half a point, others by one
	@node dist/main.js quality check

fuzz: prerequisites build ## Schemathesis against a service of its own, thousands of requests (needs python3; minutes)
	@$(NODE_BIN)/tsx test/fuzz/main.ts

python-client: prerequisites build ## Generate a Python client from docs/openapi.json and call every operation with it (needs python3)
	@$(NODE_BIN)/tsx test/clients/python/main.ts

mcp-client: prerequisites build ## List the tools for AI assistants with a Python client and answer questions about the sample (needs python3)
	@$(NODE_BIN)/tsx test/clients/python/mcp.ts

mutants: prerequisites build ## Plants some 50 mistakes in delivering events, one at a time: each must be noticed by the test named for it
	@$(NODE_BIN)/tsx test/mutants/main.ts

chaos: prerequisites build ## 10,000 simulated schedules, then 200 kills over a real import with everything in its way (an hour)
	@$(MAKE) --no-print-directory simulate SCHEDULES=10000
	@$(NODE_BIN)/tsx test/chaos/main.ts --kills 200

simulate: install ## The whole pipeline under seeded schedules of crashes, lost replies and rebalances: MINUTES=1 or SCHEDULES=10000, new seeds each time
	@$(NODE_BIN)/tsx test/simulation/main.ts $(if $(SCHEDULES),--schedules $(SCHEDULES),--minutes $(or $(MINUTES),1))

stand-in: install ## One local server in place of Reddit, Bluesky and X, with written posts: prints the variables to set
	@$(NODE_BIN)/tsx test/platforms/main.ts

cluster: prerequisites build ## A cluster on this machine: three brokers, three stores, two processes of each stage (docs/cluster.md)
	@exec node --import tsx test/cluster/main.ts

cluster-chaos: prerequisites build ## 60 faults on that cluster while articles are imported (docs/cluster.md)
	@exec node --import tsx test/cluster/chaos.ts

build: install ## Compile to dist/
	@npm run --silent build
	@chmod +x dist/main.js

install: node_modules/.installed ## Install the packages
node_modules/.installed: package-lock.json
	@echo 'installing packages (about 1 GB on disk; the ClickHouse engine is most of it) ...' >&2
	@npm ci --loglevel=error --no-progress >&2
	@touch $@

prerequisites: ## Node 20.19, npm, Java 17 and Maven are there, or installed (as root or by sudo without a password; NO_INSTALL=1 forbids it)
	@sh docker/embedded/prerequisites.sh

browser: ## A Chromium for the tests of the dashboard is there, or installed; without one these tests fail, and no others
	@sh test/browser/install.sh || true

bare-machine: ## The README's commands on a Debian with git, make and certificates only (needs root, debootstrap; minutes): SUITE=trixie or bookworm
	@sh test/bare-machine/run.sh

node-versions: prerequisites build ## The unit tests and the whole service under each supported Node: VERSIONS='22 24'
	@sh test/node-versions/run.sh

clean: ## Remove what was built (never the data)
	@rm -rf dist node_modules
