#!/bin/sh
# Runs cases of compare.py in the environment that scripts/setup_peers.sh made; skipped without it.
# Usage: run.sh ENVIRONMENT BACKLIT CASE...
python=$1/bin/python
shift
if [ ! -x "$python" ]; then
  echo "SKIPPED: scripts/setup_peers.sh makes the environment with the toolkits to compare with"
  exit 0
fi
exec "$python" "$(dirname "$0")/compare.py" "$@"
