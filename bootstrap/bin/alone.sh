#!/bin/sh
# Runs a command with a network and mounts of its own: nothing of the machine's changes, and all of it goes with the last
# process. For chaos --network; needs Linux and root.
exec unshare --net --mount --propagation private \
  sh -c 'mkdir -p /run/netns; mount -t tmpfs tmpfs /run/netns; exec "$@"' sh "$@"
