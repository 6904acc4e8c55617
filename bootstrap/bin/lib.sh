# Shared by the scripts of this folder: finds Java, and in a tree of sources builds the jar if it is missing or
# older than they are.

die() {
  echo "$1" >&2
  exit 1
}

home=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
root=$(dirname "$home")
jar="$home/lib/callboard.jar" # of a distribution, which is never built
[ -f "$jar" ] || jar="$home/target/callboard.jar"

if [ -n "${JAVA_HOME:-}" ]; then
  java="$JAVA_HOME/bin/java"
else
  java=java
fi
command -v "$java" >/dev/null 2>&1 || die "java was not found: install a JDK 17 or newer, or set JAVA_HOME"

stale() {
  [ ! -f "$jar" ] && return 0
  [ "$jar" != "$home/lib/callboard.jar" ] && [ -d "$root/codecs/src" ] || return 1
  [ -n "$(find "$root/pom.xml" "$root/codecs" "$root/verticles" "$home/pom.xml" "$home/src" \
    \( -name target -prune \) -o \( -type f -newer "$jar" -path '*/src/test/*' -prune \) \
    -o \( -path '*/src/jmh/*' -prune \) -o \( -path '*/src/chaos/*' -prune \) \
    -o \( -type f -newer "$jar" -print \) 2>/dev/null | head -n 1)" ]
}

build() {
  if stale; then
    command -v mvn >/dev/null 2>&1 || die "mvn was not found: install Maven 3.8 or newer to build Callboard"
    echo "building…" >&2
    (cd "$root" && mvn -q -B -Pfast -DskipTests package >&2) || die "the build failed"
    touch "$jar"
  fi
}

# The class path of the tests, among which the benchmarks and the chaos tool are compiled.
paths="$home/target/tests.classpath"

build_tests() {
  if [ ! -f "$paths" ] || [ -n "$(find "$root/pom.xml" "$root/codecs" "$root/verticles" \
    "$home/pom.xml" "$home/src" \( -name target -prune \) \
    -o \( -type f -newer "$paths" -path '*/src/test/*' -prune \) \
    -o \( -type f -newer "$paths" -print \) 2>/dev/null | head -n 1)" ]; then
    command -v mvn >/dev/null 2>&1 || die "mvn was not found: install Maven 3.8 or newer to build Callboard"
    echo "building…" >&2
    (cd "$root" && mvn -q -B -Pfast -Dmaven.test.skip=false -DskipTests -pl bootstrap -am \
      test-compile dependency:build-classpath -Dmdep.outputFile=target/tests.classpath >&2) ||
      die "the build failed"
    touch "$paths"
  fi
}

# From the file "release" of the JDK: to start Java for this takes as long as a short command.
release=$(dirname "$(dirname "$(readlink -f "$(command -v "$java")")")")/release
version=
[ ! -r "$release" ] || version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$release")
[ -n "$version" ] ||
  version=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/.*java.specification.version = //p')
case "$version" in
  ''|*[!0-9]*) die "Java 17 or newer is needed, this is ${version:-unknown}" ;;
  *) [ "$version" -ge 17 ] || die "Java 17 or newer is needed, this is $version" ;;
esac
