# Shared by the scripts of this folder.
# shellcheck shell=sh

conf=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
root=$(cd "$conf/../.." && pwd)
run="${CALLBOARD_CLUSTER:-cluster}"
mkdir -p "$run"
run=$(cd "$run" && pwd)
jar="${CALLBOARD_JAR:-$root/bootstrap/target/callboard.jar}"
case "$jar" in /*) ;; *) jar="$PWD/$jar" ;; esac
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
command -v curl >/dev/null 2>&1 || die "curl was not found: it asks the nodes whether they are ready"

# The HTTP port of a node.
port() {
  sed -n 's/^http-port: *//p' "$conf/node-$1.yaml"
}

# Whether the process that was started under that name runs: its number may be another's by now.
lives() {
  [ -f "$run/$1.pid" ] && ps -ww -p "$(cat "$run/$1.pid")" -o args= 2>/dev/null | grep -q -e "/$1\.cfg" -e "/node-$1\.yaml"
}

ready() {
  curl -fs -o /dev/null "http://127.0.0.1:$(port "$1")/readyz"
}

# Waits until a command succeeds: SECONDS COMMAND…
await() {
  left=$(($1 * 5))
  shift
  until "$@"; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || return 1
    sleep 0.2
  done
}

start_server() {
  lives "$1" && return 0
  mkdir -p "$run/$1"
  echo "${1#zoo}" > "$run/$1/myid"
  (cd "$run" || exit 1
    nohup "$java" -Xmx256m -XX:+ExitOnOutOfMemoryError -cp "$jar" \
    org.apache.zookeeper.server.quorum.QuorumPeerMain "$conf/$1.cfg" > "$1.log" 2>&1 &
    echo $! > "$1.pid")
}

start_node() {
  lives "$1" && return 0
  (cd "$run" || exit 1
    nohup "$java" -Xmx512m -XX:+UseG1GC -XX:+ExitOnOutOfMemoryError \
    -Djava.net.preferIPv4Stack=true -jar "$jar" --conf "$conf/node-$1.yaml" > "$1.log" 2>&1 &
    echo $! > "$1.pid")
  await 60 ready "$1" || die "node $1 is not ready after a minute; see $run/$1.log"
  echo "node $1: http://127.0.0.1:$(port "$1")/"
}

gone() {
  ! lives "$1"
}

stop_process() {
  lives "$1" || return 0
  kill "$(cat "$run/$1.pid")"
  await 30 gone "$1" || die "$1 (process $(cat "$run/$1.pid")) does not end"
  rm -f "$run/$1.pid"
  echo "stopped $1"
}
