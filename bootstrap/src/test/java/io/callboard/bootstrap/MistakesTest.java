package io.callboard.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Test that a user's mistake is reported in one line, with how to correct it. */
class MistakesTest {
  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(List.of("--wings", "x"), Map.of(), 2, "there is no option --wings"),
        Arguments.of(
            List.of("--archive", "x"),
            Map.of(),
            2,
            "the URL must begin with jdbc:postgresql: or jdbc:h2:"),
        Arguments.of(
            List.of("--url", "x", "jobs"),
            Map.of(),
            2,
            "there is no option --url before a command; write it after the command"),
        Arguments.of(
            List.of("sumbit"), Map.of(), 2, "there is no command sumbit; did you mean submit?"),
        Arguments.of(
            List.of("--http-port", "99999"), Map.of(), 2, "a port is 0 to 65535, not 99999"),
        Arguments.of(List.of("--slots", "-1"), Map.of(), 2, "slots are 0 to 10000, not -1"),
        Arguments.of(List.of("--session-timeout", "10"), Map.of(), 2, "'10' is not a duration"),
        Arguments.of(List.of("--session-timeout", "PT2M"), Map.of(), 2, "PT1S to PT60S, not PT2M"),
        Arguments.of(List.of("--name", "a b"), Map.of(), 2, "is not a node name"),
        Arguments.of(List.of("--name", "_x"), Map.of(), 2, "the first a letter or digit"),
        Arguments.of(List.of("--machine", "_x"), Map.of(), 2, "the first a letter or digit"),
        Arguments.of(
            List.of("--cell", "_x"),
            Map.of(),
            2,
            "option '--cell': \"_x\" is not a cell name: use up to 63 letters, digits and - _ ., the first a letter or digit"),
        Arguments.of(
            List.of("--zookeeper", "my-cell"),
            Map.of(),
            2,
            "option '--zookeeper': \"my-cell\" is not an ensemble"),
        Arguments.of(List.of("--data", "a\u0000b"), Map.of(), 2, "is no path: Nul character"),
        Arguments.of(List.of("limit", "process", "x"), Map.of(), 2, "'x' is not a whole number"),
        Arguments.of(
            List.of("limit", "process", "99999999999"),
            Map.of(),
            2,
            "'99999999999' is not a whole number from -2147483648 to 2147483647"),
        Arguments.of(
            List.of("actors", "restore", "/a", "x"), Map.of(), 2, "'x' is not a whole number"),
        Arguments.of(
            List.of("parked", "replay", "--all", "--rate", "x"),
            Map.of(),
            2,
            "'x' is not a number"),
        Arguments.of(List.of("--cell", "a/b"), Map.of(), 2, "is not a cell name"),
        Arguments.of(
            List.of("--zookeeper", "nonsense"), Map.of(), 2, "HOST:PORT[,HOST:PORT…][/CHROOT]"),
        Arguments.of(List.of("--log-format", "xml"), Map.of(), 2, "text or json, not xml"),
        Arguments.of(
            List.of("--machine", "rack 1"), Map.of(), 2, "\"rack 1\" is not the name of a machine"),
        Arguments.of(List.of("--labels", "disk"), Map.of(), 2, "--labels"),
        Arguments.of(
            List.of(), Map.of("CALLBOARD_LABELS", "disk=s s"), 2, "\"s s\" is not a value of the"),
        Arguments.of(
            List.of("--conf", "no-such-file.yaml"),
            Map.of(),
            2,
            "no-such-file.yaml does not exist"),
        Arguments.of(
            List.of("jobs"),
            Map.of("CALLBOARD_HTTP_PROT", "1"),
            2,
            "unknown variable \"CALLBOARD_HTTP_PROT\"; did you mean \"CALLBOARD_HTTP_PORT\"?"),
        Arguments.of(List.of("demo", "nope"), Map.of(), 2, "there is no example \"nope\""),
        Arguments.of(
            List.of("demo", "failover", "--rounds", "0"), Map.of(), 2, "--rounds is 1 to 1000"),
        Arguments.of(
            List.of("demo", "scatter-gather", "--nodes", "0"),
            Map.of(),
            2,
            "nodes are 1 to 64, not 0"),
        Arguments.of(
            List.of("demo", "scatter-gather", "--documents", "no-such-directory"),
            Map.of(),
            2,
            "--documents no-such-directory is no directory"),
        Arguments.of(
            List.of("--zookeeper-auth", "a:s3cret"), Map.of(), 2, "no option --zookeeper-auth;"),
        Arguments.of(
            List.of("--zookeeper-auth=a:s3cret"), Map.of(), 2, "no option --zookeeper-auth;"),
        Arguments.of(List.of("fsck", "--forget-nodes"), Map.of(), 2, "--forget-nodes needs --fix"),
        Arguments.of(
            List.of("fsck", "--forgotten-after", "PT5M"),
            Map.of(),
            2,
            "an hour at least, not PT5M"),
        Arguments.of(List.of("fsck", "--zookeeper", "x"), Map.of(), 2, "\"x\" is not an ensemble"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http-port: x     | is not a whole number",
        "http-port: 99999 | a port is 0 to 65535, not 99999",
        "slots: -3        | slots are 0 to 10000, not -3"
      })
  void aWrongZoneHidesNeitherSourcesNorOptions(
      String options, String fault, @TempDir Path directory) throws IOException {
    Path conf = directory.resolve("node.yaml");
    Files.writeString(
        conf,
        "{zones: {io: {kind: bogus}}, sources: {a: {kind: nope, start: {workflow: x}}}, %s}"
            .formatted(options));
    List<String> arguments = List.of("--conf", conf.toString());
    for (String part :
        List.of("/zones/io: there is no kind", "/sources/a/kind: there is no kind", fault)) {
      CommandRun.of(arguments, Map.of()).failed(2, part);
    }
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsToldInOneLine(
      List<String> arguments, Map<String, String> environment, int code, String message) {
    CommandRun.of(arguments, environment).failed(code, message);
  }
}
