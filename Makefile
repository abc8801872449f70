# Every target sets up what it needs: a virtual environment in .venv, from the hashed locks alone.
# `make` prints this list.

PYTHON ?=
VENV   := .venv
BIN    := $(VENV)/bin
CODE   := lib entrypoint tests
FLOWS  := .github/workflows/*.yml examples/workflows/*.yml

# Pip reads no configuration that could add to the locks, and asks nothing.
PIP    := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet
SYNC   := $(PIP) install --require-hashes --requirement
LOCK   := UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --universal \
          --generate-hashes --python-version 3.11 $(UPGRADE)

.DEFAULT_GOAL := help
.PHONY: help test kill-points fault-points demo lint format lock image-test benchmark clean
.DELETE_ON_ERROR:

help: ## print this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 18

test: $(VENV)/.dev ## run the test suite (ARGS="…" goes to pytest)
	$(BIN)/pytest $(ARGS)

kill-points: $(VENV)/.dev ## a night killed before and after everything it does, and resumed (ARGS="--every 10" samples)
	PYTHONPATH=tests $(BIN)/python tests/exhaustive/kill_points.py $(ARGS)
	$(BIN)/pytest -n 0 -s tests/sync/test_loop_killed.py

fault-points: $(VENV)/.dev ## a night of which each request fails once, in every way (ARGS="--every 10" samples)
	PYTHONPATH=tests $(BIN)/python tests/exhaustive/fault_points.py $(ARGS)

demo: $(VENV)/.dev ## both modes, whole, against a GitHub and a git remote on this machine
	$(BIN)/nightshift demo $(ARGS)

lint: $(VENV)/.ci ## all linters: Python, workflows, Dockerfile
	$(BIN)/black --check $(CODE)
	$(BIN)/isort --check-only --quiet $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/pylint $(CODE)
	$(BIN)/hadolint Dockerfile
	$(BIN)/actionlint $(FLOWS)
	$(BIN)/zizmor --offline --quiet --no-progress .github/dependabot.yml action.yml $(FLOWS)
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows $(FLOWS)
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml

format: $(VENV)/.dev ## format the code
	$(BIN)/black --quiet $(CODE)
	$(BIN)/isort --quiet $(CODE)

lock: $(VENV)/.ci ## renew requirements/*.txt (UPGRADE=--upgrade takes newer releases)
	$(LOCK) pyproject.toml --constraint requirements/constraints.txt --output-file requirements/runtime.txt
	$(LOCK) requirements/build.in --output-file requirements/build.txt
	$(LOCK) pyproject.toml requirements/build.in --extra test --extra lint \
		--constraint requirements/runtime.txt --constraint requirements/build.txt \
		--output-file requirements/dev.txt
	$(LOCK) requirements/ci.in --constraint requirements/dev.txt --output-file requirements/ci.txt

image-test: $(VENV)/.dev ## build the image for real and run both modes in it (root, podman, runc, mmdebstrap)
	$(BIN)/pytest -n 0 -m image tests/image $(ARGS)

benchmark: $(VENV)/.dev ## how long things take here; what needs a repository to replay says so (--help)
	$(BIN)/python tests/benchmarks/triage_text.py
	$(BIN)/python tests/benchmarks/triage_sweep.py
	$(BIN)/python tests/benchmarks/merge_curve.py

clean: ## remove what the other targets made, but no image (see tests/support/podman.py)
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .hypothesis .import_linter_cache
	find lib entrypoint tests -name __pycache__ -prune -exec rm -rf {} +
	rm -rf lib/*.egg-info

# Stamps, so that the second run is quick. A lock that changed is installed again.
$(BIN)/python:
	python=$$(.ci/find-python $(PYTHON)) && "$$python" -m venv $(VENV)

$(VENV)/.dev: requirements/dev.txt pyproject.toml | $(BIN)/python
	$(SYNC) requirements/dev.txt
	$(PIP) install --no-deps --no-index --no-build-isolation --editable .
	touch $@

$(VENV)/.ci: requirements/ci.txt $(VENV)/.dev
	$(SYNC) requirements/ci.txt
	touch $@
