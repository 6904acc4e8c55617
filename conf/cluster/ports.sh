# The ports of the cluster, and the configuration files that name them. Shared by the scripts of this folder.
# shellcheck shell=sh

# Each port is one of these and the number of the server or node: 1, 2 or 3.
use_ports() {
  if [ "$1" = default ]; then
    http=8090 client=2280 peer=2290 election=2390
    return
  fi
  case "$1" in
    '' | 0* | *[!0-9]* | ??????*) return 1 ;;
  esac
  [ "$1" -ge 1024 ] && [ "$1" -le 65500 ] || return 1
  http=$1 client=$(($1 + 10)) peer=$(($1 + 20)) election=$(($1 + 30))
}

# The base port that was chosen when the cluster of this run directory was started.
base=default
if [ -f "$run/base-port" ]; then
  base=$(cat "$run/base-port")
fi
use_ports "$base" || die "$run/base-port holds no base port: write the one that the cluster was started with, or remove it for the default ports"

# Takes another base port, while nothing runs: 1024 to 65500, or "default".
choose_ports() {
  [ "$1" != "$base" ] || return 0
  use_ports "$1" || die "a base port is 1024 to 65500, or default, not \"$1\""
  new="$1"
  use_ports "$base"
  for each in $servers $nodes; do
    ! lives "$each" || die "$each runs, with the base port $base: stop everything first, with $conf/stop"
  done
  base="$new"
  use_ports "$base"
  echo "$base" > "$run/base-port.new"
  mv "$run/base-port.new" "$run/base-port"
}

number() {
  case "$1" in
    zoo?) echo "${1#zoo}" ;;
    a) echo 1 ;;
    b) echo 2 ;;
    c) echo 3 ;;
  esac
}

# The port on which a node serves HTTP, or a server its clients.
port() {
  case "$1" in
    zoo?) echo $((client + $(number "$1"))) ;;
    *) echo $((http + $(number "$1"))) ;;
  esac
}

# The configuration file of a server or node.
config() {
  case "$1" in
    zoo?) echo "$run/conf/$1.cfg" ;;
    *) echo "$run/conf/node-$1.yaml" ;;
  esac
}

# Where that was before there were templates.
old_config() {
  case "$1" in
    zoo?) echo "$conf/$1.cfg" ;;
    *) echo "$conf/node-$1.yaml" ;;
  esac
}

write_config() {
  file=$(config "$1")
  case "$1" in
    zoo?) template="$conf/zoo.cfg" ;;
    *) template="$conf/node.yaml" ;;
  esac
  mkdir -p "$run/conf"
  sed -e "s/@NAME@/$1/" -e "s/@HTTP_PORT@/$(port "$1")/" -e "s/@CLIENT_PORT@/$(port "$1")/" \
    -e "s/@CLIENT_1@/$((client + 1))/" -e "s/@CLIENT_2@/$((client + 2))/" -e "s/@CLIENT_3@/$((client + 3))/" \
    -e "s/@PEER_1@/$((peer + 1))/" -e "s/@PEER_2@/$((peer + 2))/" -e "s/@PEER_3@/$((peer + 3))/" \
    -e "s/@ELECTION_1@/$((election + 1))/" -e "s/@ELECTION_2@/$((election + 2))/" \
    -e "s/@ELECTION_3@/$((election + 3))/" "$template" > "$file.new" && mv "$file.new" "$file"
}

# A duration of a node's configuration in whole seconds: NAME KEY. 0 if it is not there.
seconds() {
  duration=$(sed -n "s/^$2: *PT\([0-9HMS.]*\).*/\1/p" "$(config "$1")" 2>/dev/null |
    sed 's/\.[0-9]*//; s/^0*\([0-9]\)/\1/; s/\([HM]\)0*\([0-9]\)/\1\2/g; s/H/*3600+/; s/M/*60+/; s/S/+/; s/$/0/')
  echo $((${duration:-0}))
}
