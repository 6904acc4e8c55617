# Runs one command as the leader of its own session and group; $1 is the working directory of the
# run, $2 the uptime of the system in hundredths of a second at which it must not begin any more, or
# empty, the rest is the command. Before that it sets no variable but CALLBOARD_ ones: it would change
# one of that name in the environment of the run. This shell works in the run's control directory, which the command is
# not told; standard input is the pipe to the node. See package-info.

# ignored here, so that a signal to the group ends the command and not its shim
trap '' HUP INT QUIT TERM

# by this the guard finds the group
echo "$$" >>"../../open/${CALLBOARD_JOB_ID}_$CALLBOARD_RUN_ID" || exit 125

# by a number of its own: a shell gives what it runs in the background an empty input 0
exec 3<&0 </dev/null

# the watcher: each line of the pipe is a signal for the group; its end is the end of the node
(
  while read -r signal; do kill -s "$signal" -- "-$$"; done
  kill -s KILL -- "-$$"
) <&3 3<&- >/dev/null 2>&1 &
exec 3<&-

# in the foreground: a shell makes what it runs in the background deaf to INT and QUIT
(
  trap - HUP INT QUIT TERM
  cd "$1" || { : >nodirectory; exit 126; }
  unset OLDPWD
  # a node that stood still while it started this may be thought dead by now
  if [ -n "$2" ]; then
    read -r CALLBOARD_UPTIME </proc/uptime
    CALLBOARD_UPTIME=${CALLBOARD_UPTIME%% *}
    CALLBOARD_UPTIME=${CALLBOARD_UPTIME%.*}${CALLBOARD_UPTIME#*.}
    [ "$CALLBOARD_UPTIME" -lt "$2" ] || kill -s KILL -- "-$$"
    unset CALLBOARD_UPTIME
  fi
  shift 2
  exec "$@"
)

code=$?
# the directory was there a moment ago: that is the host's fault and no outcome of the command
[ ! -e nodirectory ] || exit 125

# one write of one line: a record without its line end is none, which saves forking mv
echo "$code" >exit || exit 125

# nothing stays behind, this shell included
kill -s KILL -- "-$$"
