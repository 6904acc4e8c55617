# Shared by the scripts of this folder.
# shellcheck shell=sh

conf=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
root=$(cd "$conf/../.." && pwd)
run="${CALLBOARD_CLUSTER:-$root/cluster}"
case "$run" in /*) ;; *) run="$PWD/$run" ;; esac
[ ! -d "$run" ] || run=$(cd "$run" && pwd -P)
jar="$root/lib/callboard.jar" # of a distribution
[ -f "$jar" ] || jar="$root/bootstrap/target/callboard.jar"
jar="${CALLBOARD_JAR:-$jar}"
case "$jar" in /*) ;; *) jar="$PWD/$jar" ;; esac
given="${CALLBOARD_JAR:-}"
heap="${CALLBOARD_CLUSTER_HEAP:-256m}" # of each server
servers="zoo1 zoo2 zoo3"
nodes="a b c"

# A node takes variables of that kind for its own, before its file: these are said by the files here, or cannot be the
# same for three nodes of one machine.
unset CALLBOARD_CLUSTER CALLBOARD_CLUSTER_HEAP CALLBOARD_JAR CALLBOARD_CONF CALLBOARD_NAME CALLBOARD_DATA CALLBOARD_NEW_CELL
unset CALLBOARD_HTTP_HOST CALLBOARD_HTTP_PORT CALLBOARD_CLUSTER_HOST CALLBOARD_CLUSTER_PORT
unset CALLBOARD_ZOOKEEPER CALLBOARD_ZOOKEEPER_PORT CALLBOARD_ZOOKEEPER_SECURE CALLBOARD_START_TIMEOUT CALLBOARD_STOP_TIMEOUT

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
[ -r /proc/self/cmdline ] || command -v ps >/dev/null 2>&1 || die "ps was not found: it tells what runs"
command -v curl >/dev/null 2>&1 || die "curl was not found: it asks the nodes whether they are ready"

case "$heap" in
  *[!0-9mg]* | [!1-9]* | *[mg]?* | *[!mg]) die "CALLBOARD_CLUSTER_HEAP is \"$heap\", not a number with m or g, as 256m" ;;
esac

. "$conf/ports.sh"

# The arguments of a process, one a line where the system has them so.
arguments() {
  if [ -r /proc/self/cmdline ]; then
    tr '\0' '\n' < "/proc/$1/cmdline"
  else
    ps -ww -p "$1" -o args=
  fi 2>/dev/null
}

# Whether the process that was started under that name runs: its number may be another's by now. It is known by the last
# of its arguments.
lives() {
  [ -f "$run/$1.pid" ] || return 1
  case "$(arguments "$(cat "$run/$1.pid")")" in
    *[[:space:]]"$(config "$1")" | *[[:space:]]"$(old_config "$1")") return 0 ;;
    *) return 1 ;;
  esac
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
  has="$run/$1.jar"
  [ -f "$has" ] || has="$jar"
  "$java" -cp "$has" org.apache.zookeeper.client.FourLetterWordMain 127.0.0.1 "$(port "$1")" srvr 2>/dev/null |
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
    zoo*) ! serves "$1" || die "a server that is not of $run answers on port $(port "$1"): stop it first, or choose other ports with start --base-port" ;;
    *) ! curl -s -o /dev/null --max-time 5 "http://127.0.0.1:$(port "$1")/" || die "a node that is not of $run answers on port $(port "$1"): stop it first, or choose other ports with start --base-port" ;;
  esac
}

. "$conf/processes.sh"
