# Kills the runs of a node that is frozen. $1 is the mark of its boot, $2 the program timeout; the
# working directory is the one that controls its runs, standard input is the pipe from it. See package-info. Each line
# of the pipe is a number of seconds: unless another comes within them, every group that bears the
# mark is killed, and the guard ends with 9. The end of the pipe is the end of the node, and for that
# each run has a watcher of its own.

mark=$1
timeout=$2

# is the leader of that group one of ours? A shell reads the zeros of the environment away
ours() {
  while read -r entry || [ -n "$entry" ]; do
    case $entry in *"$mark"*) return 0 ;; esac
  done <"/proc/$1/environ"
  return 1
}

# $1 says on its first line when the run began, on its second which group it is
end() {
  group=
  { read -r start && read -r group; } <"$1"
  case $group in '' | *[!0-9]*) return ;; esac
  ours "$group" && kill -s KILL -- "-$group"
}

read -r left || exit 0
while :; do
  next=$("$timeout" "$left" sh -c 'read -r next || exit 3; echo "$next"')
  case $? in
    0) left=$next ;;
    # the node has ended; or there is no such program any more
    3 | 126 | 127) exit 0 ;;
    # coreutils say 124, busybox the signal
    *) break ;;
  esac
done

for run in open/*_*; do
  # each by itself: none can hold up the others
  [ -f "$run" ] && end "$run" &
done
wait
exit 9
