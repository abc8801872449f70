set -eu
build one
build two
build three --fast
