package io.callboard.bootstrap.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.bootstrap.LaunchedNode;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZoneOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("real")
class ConfFileTest {
  private static Path directory;

  @BeforeAll
  static void makeDirectory() throws IOException {
    directory = LaunchedNode.directory("conf-file");
  }

  private static Path file(String name, byte[] content) throws IOException {
    return Files.write(directory.resolve(name), content);
  }

  private static ConfFile read(String name, String content) throws IOException {
    return right(ConfFile.read(file(name, content.getBytes(StandardCharsets.UTF_8))));
  }

  /** Returns a file, or throws what is wrong with it. */
  static ConfFile right(ConfFile read) {
    if (read.wrong() != null) {
      throw read.wrong();
    }
    return read;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"slots\":1,\"slots\":2}   | :1 cannot be read: the key \"slots\" is there twice",
        "slots: 1\\nslots: 2          | :2 cannot be read: the key \"slots\" is there twice",
        "{\"zones\":{\"a\":{\"size\":1,\"size\":2}}} | the key \"size\" is there twice",
        "slots: [1                   | cannot be read: while parsing a flow sequence: expected ',' or ']'",
        "a:\\n\tb: 1                  | cannot be read: while scanning for the next token: found character",
        "{zones: {io: {siz: 1}}, slots: [1], sources: 5} | /zones/io/siz: is unknown",
        "{zones: {io: {siz: 1}}, slots: [1], sources: 5} | ; and ",
        "{zones: {io: {siz: 1}}, slots: [1], sources: 5} | slots takes one value",
        "{zones: {io: {siz: 1}}, slots: [1], sources: 5} | /sources: must be an object",
        "zoens: {}                   | unknown key \"zoens\"; did you mean \"zones\"?",
        "qqqqqqqqqqqqqqqqqqqqqq: 1   | ; there are app, archive, cell, cluster-host, ",
        "qqqqqqqqqqqqqqqqqqqqqq: 1   | zookeeper-trust-store-password-file",
        "qqqqqqqqqqqqqqqqqqqqqq: 1   | , zones, ",
        "slots: [1]                  | slots takes one value",
        "sources: 5                  | /sources: must be an object with a source under each name",
        "sources: {a: {kind: http}, b: {kind: x}} | /sources/a/start: is missing",
        "sources: {a: {kind: http}, b: {kind: x}} | /sources/b/kind: there is no kind \"x\"",
        "zones: 5                    | /zones: must be an object, not a number",
        "zones: {io: 4}              | /zones/io: must be an object, not a number",
        "zones: {io: {size: x}}      | /zones/io/size: must be a whole number, not a text",
        "zones: {io: {size: 1.5}}    | /zones/io/size: must be a whole number, not 1.5",
        "zones: {io: {siz: 1}}       | /zones/io/siz: is unknown; did you mean \"size\"?",
        "zones: {io: {kind: fixd}}   | /zones/io: there is no kind \"fixd\"; there are event-loop, fixed,",
        "zones: {io: {kind: elastc}} | there is no kind \"elastc\"; there are event-loop, fixed, elastic,",
        "zones: {io: {size: 1, core: 1}} | /zones/io: core is not a key of the kind fixed; there are kind, size,",
        "zones: {io: {kind: elastic, max: 0}} | /zones/io: an elastic zone with 1 threads has a max of 1",
        "zones: {io: {kind: fork-join}} | /zones/io/parallelism: is missing",
        "zones: {io: {kind: fork-join, parallelism: 0}} | /zones/io: a fork-join zone has a parallelism of 1",
        "zones: {io: {queue: 5}}     | /zones/io/size: is missing",
        "zones: {supervision: {kind: elastic}} | /zones/supervision/max: is missing",
        "zones: {io: {size: 1, blockedAfter: PT240001H}} | /zones/io/blockedAfter: blockedAfter must be at most 10000 days",
        "zones: {io: {size: 1, queue: x}} | /zones/io/queue: must be a whole number, not a text",
        "zones: {supervision: {whenFull: reject}} | zone supervision has no actors whose mail could be",
        "zones: {io: {size: 1, whenFull: drop}} | /zones/io/whenFull: whenFull cannot be \"drop\"; there are reject, wait",
        "zones: {io: {size: 1, blockedAfter: 5}} | /zones/io/blockedAfter: must be an ISO 8601 duration such",
        "zones: {supervision: {kind: event-loop}} | the supervisors need threads of their own",
        "zones: {i/o: {size: 1}}     | \"i/o\" is not a zone name",
        "[1, 2]                      | must hold keys and values",
        "slots: 1\\n---\\nslots: 2     | something follows after its end",
        "a: [1\\nb: }                 | cannot be read: ",
      })
  void aMistakeIsNamed(String content, String message) throws IOException {
    assertThatThrownBy(() -> read("wrong", content.replace("\\n", "\n")).sources().apply(List.of()))
        .isInstanceOfSatisfying(
            StartupFailure.class, e -> assertThat(e.exitCode()).isEqualTo(StartupFailure.USAGE))
        .hasMessageStartingWith(directory.resolve("wrong").toString())
        .hasMessageContaining(message)
        .satisfies(ConfFileTest::isForPeople);
  }

  private static void isForPeople(Throwable e) {
    assertThat(e.getMessage().lines()).hasSize(1);
    assertThat(e.getMessage()).doesNotContain("Exception", "`", "java.", "Source:");
  }

  @Test
  void aFileThatIsNotUtf8IsToldSo() throws IOException {
    Path latin = file("latin", "name: k\u00fcche\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> ConfFile.read(latin))
        .hasMessage("%s cannot be read: it is not UTF-8; save it as UTF-8", latin)
        .satisfies(ConfFileTest::isForPeople);
  }

  @Test
  void aValueThatIsNestedTooDeepIsNamed() throws IOException {
    for (String deep : new String[] {"{\"a\":", "["}) {
      String close = deep.equals("[") ? "]" : "}";
      assertThatThrownBy(() -> read("deep", deep.repeat(5_000) + "1" + close.repeat(5_000)))
          .isInstanceOf(StartupFailure.class)
          .hasMessageContaining("deeper than 20 levels")
          .satisfies(ConfFileTest::isForPeople);
    }
  }

  @Test
  void aDirectoryAndNothingAreNamed() {
    assertThatThrownBy(() -> ConfFile.read(directory))
        .hasMessageStartingWith("%s cannot be read: ", directory)
        .satisfies(ConfFileTest::isForPeople);
    assertThatThrownBy(() -> ConfFile.read(directory.resolve("none")))
        .hasMessageContaining("none does not exist");
  }

  @Test
  void aCorrectFileIsRead() throws IOException {
    ConfFile read =
        read(
            "right",
            "slots: 3\nname: null\nzones:\n  io: {kind: fixed, size: 2}\n  ui: {kind: event-loop}\n");
    assertThat(read.values()).isEqualTo(Map.of("slots", "3"));
    assertThat(read.zones())
        .isEqualTo(Map.of("io", ZoneOptions.fixed(2), "ui", ZoneOptions.eventLoop()));
    assertThat(
            read(
                    "all",
                    "zones:\n  a: {kind: elastic, max: 9, core: 2, keepAlive: PT5S, queue: 7, whenFull:"
                        + " reject, blockedAfter: PT3S}\n  b: {kind: fork-join, parallelism: 2}\n")
                .zones())
        .isEqualTo(
            Map.of(
                "a",
                ZoneOptions.elastic(2, 9)
                    .keepAlive(Duration.ofSeconds(5))
                    .queue(7)
                    .whenFull(ZoneOptions.WhenFull.REJECT)
                    .blockedAfter(Duration.ofSeconds(3)),
                "b",
                ZoneOptions.forkJoin(2)));
    assertThat(
            read(
                    "defaults",
                    "zones:\n  default: {blockedAfter: PT3S}\n  blocking: {kind: fixed, queue: 7}\n"
                        + "  supervision: {kind: fixed}\n")
                .zones())
        .isEqualTo(
            Map.of(
                "default", ZoneDefaults.zones().get("default").blockedAfter(Duration.ofSeconds(3)),
                "blocking", ZoneOptions.fixed(8).queue(7),
                "supervision", ZoneOptions.fixed(1)));
    assertThat(read("zones", "zones:\n")).isEqualTo(ConfFile.NONE);
    assertThat(read("empty", "# nothing\n")).isEqualTo(ConfFile.NONE);
  }
}
