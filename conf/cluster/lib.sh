# Shared by the scripts of this folder.
# shellcheck shell=sh

conf=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
root=$(cd "$conf/../.." && pwd)
run="${CALLBOARD_CLUSTER:-$root/cluster}"
case "$run" in /*) ;; *) run="$PWD/$run" ;; esac
jar="${CALLBOARD_JAR:-$root/bootstrap/target/callboard.jar}"
case "$jar" in /*) ;; *) jar="$PWD/$jar" ;; esac
given="${CALLBOARD_JAR:-}"
unset CALLBOARD_CLUSTER CALLBOARD_JAR # a node takes variables of that kind for its own
servers="zoo1 zoo2 zoo3"
nodes="a b c"

die() {
  echo "$1" >&2
  exit 1
}

if [ -n "${JAVA_HOME:-}" ]; then
  java="$JAVA_HOME/bin/java"
else
  java=java
fi
command -v "$java" >/dev/null 2>&1 || die "java was not found: install a JDK 17 or newer, or set JAVA_HOME"
command -v ps >/dev/null 2>&1 || die "ps was not found: it tells what runs"
command -v curl >/dev/null 2>&1 || die "curl was not found: it asks the nodes whether they are ready"

# The HTTP port of a node.
port() {
  sed -n 's/^http-port: *//p' "$conf/node-$1.yaml"
}

# Whether the process that was started under that name runs: its number may be another's by now.
lives() {
  [ -f "$run/$1.pid" ] && ps -ww -p "$(cat "$run/$1.pid")" -o args= 2>/dev/null | grep -q -e "/$1\.cfg" -e "/node-$1\.yaml"
}

# Asks a node: NODE PATH
ask() {
  curl -fs --connect-timeout 2 --max-time 5 "http://127.0.0.1:$(port "$1")$2"
}

ready() {
  ask "$1" /readyz >/dev/null
}

# follower, leader, or nothing if the server does not answer
mode() {
  "$java" -cp "$jar" org.apache.zookeeper.client.FourLetterWordMain 127.0.0.1 "228${1#zoo}" srvr 2>/dev/null |
    sed -n 's/^Mode: //p'
}

serves() {
  [ -n "$(mode "$1")" ]
}

# What the grid monitor has found, as JSON; nothing if it is all right.
findings() {
  stats=$(ask "$1" /api/v1/stats) || return 1
  echo "$stats" | grep -q '"findings":{"items":' || return 1
  echo "$stats" | sed 's/.*"findings":{"items":\[\([^]]*\)\].*/\1/'
}

# Waits until a command succeeds: SECONDS COMMAND…
await() {
  until=$(($(date +%s) + $1))
  shift
  until "$@"; do
    [ "$(date +%s)" -lt "$until" ] || return 1
    sleep 0.2
  done
}

# What answers must have been started here, from this directory.
no_stranger() {
  ! lives "$1" || return 0
  case "$1" in
    zoo*) ! serves "$1" || die "a server that is not of $run answers on the port of $1: stop it first" ;;
    *) ! curl -s -o /dev/null --max-time 5 "http://127.0.0.1:$(port "$1")/" || die "a node that is not of $run answers on port $(port "$1"): stop it first" ;;
  esac
}

begun() {
  ready "$1" || ! lives "$1"
}

# What bounds the server's memory by bytes; a jar of an older version does not have it.
server_main() {
  if grep -aq io/callboard/zookeeper/EnsembleServer.class "$jar"; then
    echo io.callboard.zookeeper.EnsembleServer
  else
    echo org.apache.zookeeper.server.quorum.QuorumPeerMain
  fi
}

start_server() {
  lives "$1" && return 0
  no_stranger "$1"
  mkdir -p "$run/$1"
  echo "${1#zoo}" > "$run/$1/myid"
  (cd "$run" || exit 1
    nohup "$java" -Xmx256m -XX:+ExitOnOutOfMemoryError -cp "$jar" \
    "$(server_main)" "$conf/$1.cfg" >> "$1.log" 2>&1 &
    echo $! > "$1.pid")
}

start_node() {
  lives "$1" || launch_node "$1"
  await 60 begun "$1" || die "node $1 is not ready after a minute; see $run/$1.log"
  lives "$1" || die "node $1 has ended: $(tail -1 "$run/$1.log")"
  echo "node $1: http://127.0.0.1:$(port "$1")/"
}

launch_node() {
  no_stranger "$1"
  (cd "$run" || exit 1
    nohup "$java" -Xmx512m -XX:+UseG1GC -XX:+ExitOnOutOfMemoryError \
    -Djava.net.preferIPv4Stack=true -jar "$jar" --conf "$conf/node-$1.yaml" >> "$1.log" 2>&1 &
    echo $! > "$1.pid")
}

gone() {
  ! lives "$1"
}

stop_process() {
  no_stranger "$1"
  lives "$1" || return 0
  kill "$(cat "$run/$1.pid")"
  await 30 gone "$1" || die "$1 (process $(cat "$run/$1.pid")) does not end"
  rm -f "$run/$1.pid"
  echo "stopped $1"
}
