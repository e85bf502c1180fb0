#!/bin/sh
# leash.sh PROGRAM ARGUMENT...: becomes PROGRAM (same pid), which lives no longer than the pipe on descriptor 3.
# That pipe ends without a word when the parent dies, however it dies: then the program is killed at once. A parent that
# has seen the program end writes a line first, so that nobody is killed who has come by the same process id since.
(IFS= read -r word <&3 || kill -KILL $$) </dev/null >/dev/null 2>&1 &
exec 3<&-
exec "$@"
