#!/bin/sh
# Inside the new system: runs the README's commands until the sample is served, then stops them. `run.sh` starts it.
cd /root/story || exit 1
sh -e /root/commands &
commands=$!
(
  until [ -e node_modules/.installed ]; do sleep 1; done
  exec node_modules/.bin/tsx test/bare-machine/sample-is-served.ts .story >/root/served.part
) &
check=$!
# the commands run until they are stopped: the check must end first
while kill -0 "$check" 2>/dev/null; do
  kill -0 "$commands" 2>/dev/null || exit 1
  sleep 1
done
wait "$check" && mv /root/served.part /root/served
