# Sets the flags of Java for commands that live for a moment: one compiler, the simplest collector, and
# the archive of their classes, which the JVM maps instead of reading and checking the jar.
#
# The archive is in the cache directory of the user. The first command starts a process in the
# background that creates it. Until it is there, and where it cannot be, commands start more slowly,
# no more. The JVM refuses an archive of another jar or another Java; the name of the file
# tells them apart, so that a new one is created. It refuses a damaged one, too, since Java 25 with an
# error in its log of archives (cds), which is off.

flags="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xlog:disable -Xlog:all=error,cds=off:stderr"

sum() {
  cksum | tr ' ' '-'
}

# Creates the archive; the directory $wanted.new says that somebody does so, or that it failed.
create() {
  # shellcheck disable=SC2086
  nice "$java" $flags "-XX:ArchiveClassesAtExit=$wanted.new/jsa" -cp "$jar" \
    io.callboard.bootstrap.TrainingRun && mv "$wanted.new/jsa" "$wanted" || return 0
  for old in "$family"-*; do
    [ "$old" = "$wanted" ] || rm -rf "$old"
  done
}

cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
if [ -n "$cache" ]; then
  family=$cache/callboard/$(echo "$jar $(command -v "$java")" | sum)
  wanted=$family-$(ls -lnL "$jar" "$release" 2>/dev/null | sum).jsa
  if [ -O "$wanted" ] && [ "$wanted" -nt "$jar" ]; then
    archive=$wanted
  elif mkdir -p "$cache/callboard" 2>/dev/null && mkdir "$wanted.new" 2>/dev/null; then
    (trap '' HUP INT && create) </dev/null >/dev/null 2>&1 &
  elif [ -n "$(find "$wanted.new" -prune -mtime +0 2>/dev/null)" ]; then
    rm -rf "$wanted.new" # it failed a day ago, or its process was killed
  fi
fi
