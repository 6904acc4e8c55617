# How servers and nodes are started and stopped. Shared by the scripts of this folder.
# shellcheck shell=sh

# The same file in another place, a copy unless it is ours: FROM TO
link() {
  rm -f "$2"
  case "$1" in "$run"/*) ln "$1" "$2" 2>/dev/null && return 0 ;; esac
  cp "$1" "$2"
}

# What is started now runs copies of this one, which a build does not overwrite.
stage_jar() {
  cp "$jar" "$run/next.jar.new" && mv "$run/next.jar.new" "$run/next.jar"
}

# Keeps what a node runs now as NAME.jar.kept: the file that its process has open, which may have been replaced since.
keep_jar() {
  process=$(cat "$run/$1.pid")
  path=$(arguments "$process" | sed -n -e '/^-jar$/{n;p;}' -e 's/^.* -jar \(.*\) --conf .*$/\1/p')
  for open in "/proc/$process/fd/"*; do
    case "$(readlink "$open" || :)" in
      "$path" | "$path (deleted)") cp "$open" "$run/$1.jar.kept"; return ;;
    esac
  done
  cp "$path" "$run/$1.jar.kept"
}

# What bounds the server's memory by bytes; a jar of an older version does not have it.
server_main() {
  if grep -aq io/callboard/zookeeper/EnsembleServer.class "$1"; then
    echo io.callboard.zookeeper.EnsembleServer
  else
    echo org.apache.zookeeper.server.quorum.QuorumPeerMain
  fi
}

# Runs Java in the background, in the run directory: NAME ARGUMENTS…
launch() {
  launched="$1"
  shift
  (cd "$run" || exit 1
    nohup "$java" "$@" >> "$launched.log" 2>&1 &
    echo $! > "$launched.pid")
  await 60 runs_java "$launched" || :
}

# Just after the fork the process is still this script, by its arguments.
runs_java() {
  [ "$(arguments "$(cat "$run/$1.pid")")" != "$(arguments $$)" ]
}

# Starts a server, with the jar that it ran before or with another one: NAME [JAR]
start_server() {
  lives "$1" && return 0
  no_stranger "$1"
  [ $# -eq 1 ] && [ -f "$run/$1.jar" ] || link "${2:-$jar}" "$run/$1.jar"
  mkdir -p "$run/$1"
  number "$1" > "$run/$1/myid"
  write_config "$1"
  launch "$1" "-Xmx$heap" -XX:+ExitOnOutOfMemoryError -cp "$run/$1.jar" "$(server_main "$run/$1.jar")" "$(config "$1")"
}

# Starts a node and waits until it is ready: NAME JAR
start_node() {
  if ! lives "$1"; then
    no_stranger "$1"
    link "$2" "$run/$1.jar"
    launch_node "$1"
  fi
  await "$(start_limit "$1")" begun "$1" || die "node $1 is not ready after $(start_limit "$1") seconds; see $run/$1.log"
  lives "$1" || die "node $1 has ended: $(tail -1 "$run/$1.log")"
  echo "node $1: http://127.0.0.1:$(port "$1")/"
}

# Starts a node and tells whether it became ready: NAME JAR. If it did not, it runs no more. Never ends the script.
try_node() {
  link "$2" "$run/$1.jar" && launch_node "$1" || return 1
  if await "$(start_limit "$1")" begun "$1" && lives "$1"; then
    echo "node $1: http://127.0.0.1:$(port "$1")/"
    return 0
  fi
  end_process "$1" || kill -9 "$(cat "$run/$1.pid")" || :
  await 10 gone "$1" || :
  return 1
}

launch_node() {
  write_config "$1" || return 1
  launch "$1" -Xmx512m -XX:+UseG1GC -XX:+ExitOnOutOfMemoryError -Djava.net.preferIPv4Stack=true -jar "$run/$1.jar" \
    --conf "$(config "$1")"
}

# Longer than a node itself waits for its servers.
start_limit() {
  echo $(($(seconds "$1" start-timeout) + 60))
}

begun() {
  ready "$1" || ! lives "$1"
}

gone() {
  ! lives "$1"
}

# Whether it ended in time, if it was there.
end_process() {
  lives "$1" || return 0
  kill "$(cat "$run/$1.pid")" 2>/dev/null || :
  limit=$(seconds "$1" stop-timeout)
  if ! await 10 gone "$1"; then
    [ "$limit" -eq 0 ] || echo "node $1 waits for its job runs, $limit seconds at most: see $run/$1.log"
    await $((limit + 20)) gone "$1" || return 1
  fi
  rm -f "$run/$1.pid"
}

stop_process() {
  no_stranger "$1"
  lives "$1" || return 0
  end_process "$1" || die "$1 (process $(cat "$run/$1.pid")) does not end; see $run/$1.log"
  echo "stopped $1"
}
