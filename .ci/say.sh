#!/bin/sh
# One line of output for each check: its name, how long it took, and everything it said only when it failed.
name=$1
shift
started=$(date +%s)
if output=$("$@" 2>&1); then
  printf '%-8s ok  %ss\n' "$name" "$(($(date +%s) - started))"
else
  status=$?
  printf '%s\n%-8s FAILED: %s\n' "$output" "$name" "$*"
  exit "$status"
fi
