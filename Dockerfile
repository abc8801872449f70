# The image of the action. The runner builds it from this file, runs it as root with the workspace of
# another user mounted, and hands inputs over as variables whose names have hyphens in them.
#
# The base has no digest yet: whoever publishes a release looks it up and writes it behind the tag, as
# `@sha256:…`. From then on Dependabot pins it: it moves tag and digest together.
FROM docker.io/library/python:3.13-slim-trixie AS base


FROM base AS builder

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_NO_INPUT=1 \
    PIP_ROOT_USER_ACTION=ignore

# Dependencies first: their layer stays while only our own code changes. What builds the wheel has an
# environment of its own and stays behind.
COPY requirements/build.txt requirements/runtime.txt /build/requirements/
RUN python -m venv /build/venv \
    && /build/venv/bin/pip install --require-hashes --requirement /build/requirements/build.txt \
    && python -m venv --without-pip /opt/nightshift/venv \
    && /build/venv/bin/pip --python /opt/nightshift/venv/bin/python install --no-compile \
        --require-hashes --only-binary :all: --requirement /build/requirements/runtime.txt

COPY pyproject.toml README.md LICENSE /build/source/
COPY lib /build/source/lib
COPY entrypoint /opt/nightshift/entrypoint
# The wheel is installed, not the tree. Bytecode is compiled here, since a run of the action is a new
# container each time; unchecked, since nothing in the image is edited and layers may lose mtimes.
RUN /build/venv/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /build/wheel /build/source \
    && /build/venv/bin/pip --python /opt/nightshift/venv/bin/python install --no-compile \
        --no-deps --no-index /build/wheel/*.whl \
    && python -m compileall -q -j 0 --invalidation-mode unchecked-hash /opt/nightshift


FROM base

LABEL org.opencontainers.image.title="nightshift" \
    org.opencontainers.image.description="The night shift of a repository: triage of issues, and the nightly merge of main into a long-lived branch." \
    org.opencontainers.image.licenses="Apache-2.0"

# Debian's git, at the version of the day: security fixes matter more here than a version number.
# The platform runs the container as root, and so it must be: the mounted files are root's to write.
# Whatever runs code or configuration of the target repository runs as the user nightshift instead.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/log/apt /var/log/*.log \
    && useradd --uid 10001 --user-group --no-log-init --no-create-home --home-dir /nonexistent \
        --shell /usr/sbin/nologin nightshift

COPY --from=builder /opt/nightshift /opt/nightshift

# Exec form: a shell would drop the variables with hyphens. -I: nothing in the workspace, and no
# PYTHON* variable, decides what is imported. -u, since -I ignores PYTHONUNBUFFERED.
ENTRYPOINT ["/opt/nightshift/venv/bin/python", "-I", "-u", "/opt/nightshift/entrypoint/main.py"]
