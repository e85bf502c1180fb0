#!/bin/sh
# leash.sh PROGRAM ARGUMENT...: becomes PROGRAM (same pid), which lives no longer than the pipe on descriptor 3.
# Started as the leader of a process group of its own. That pipe ends when the parent dies, however it dies: then the
# whole group is killed at once. The watcher is in the group, so the group's number cannot be anybody else's meanwhile.
(
  IFS= read -r word <&3
  kill -s KILL -- -$$
) </dev/null >/dev/null 2>&1 &
exec 3<&-
exec "$@"
