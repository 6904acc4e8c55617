# Runs one command as the leader of its own session and group; $@ is the command, the working
# directory is the directory of the run, standard input is the pipe to the node. See package-info.

# ignored here, so that a signal to the group ends the command and not its shim
trap '' HUP INT QUIT TERM

# the watcher: each line of the pipe is a signal for the group; its end is the end of the node
(
  while read -r signal; do kill -s "$signal" -- "-$$"; done
  kill -s KILL -- "-$$"
) >/dev/null 2>&1 <&0 &

exec </dev/null

# in the foreground: a shell makes what it runs in the background deaf to INT and QUIT
(
  trap - HUP INT QUIT TERM
  exec "$@"
)

# one write of one line: a record without its line end is none, which saves forking mv
echo "$?" >exit || exit 125

# nothing stays behind, this shell included
kill -s KILL -- "-$$"
