set -e
build one
build two
build three --fast
