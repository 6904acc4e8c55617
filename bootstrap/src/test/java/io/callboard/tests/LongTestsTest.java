package io.callboard.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.tests.LongTests.AreaPath;
import io.callboard.tests.LongTests.TimedClass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LongTestsTest {
  private static final Path ROOT = Path.of("..");
  private static final Path TABLES = ROOT.resolve("conf/tests");
  private static final Pattern TAG = Pattern.compile("^ *@Tag\\(\"long\"\\)", Pattern.MULTILINE);

  private static TimedClass taking(int seconds, String name, String... areas) {
    return new TimedClass(name, seconds, Set.of(areas));
  }

  /** Modules with tests, but the one that runs those of others. */
  static List<Path> modules() throws IOException {
    try (Stream<Path> verticles = Files.list(ROOT.resolve("verticles"))) {
      Stream<Path> others = Stream.of(ROOT.resolve("codecs"), ROOT.resolve("bootstrap"));
      return Stream.concat(verticles, others)
          .filter(module -> Files.isDirectory(module.resolve("src/test/java")))
          .toList();
    }
  }

  private static Set<String> tagged() throws IOException {
    Set<String> tagged = new TreeSet<>();
    for (Path module : modules()) {
      tagged.addAll(taggedIn(module.resolve("src/test/java")));
    }
    return tagged;
  }

  private static List<String> taggedIn(Path tests) throws IOException {
    try (Stream<Path> files = Files.walk(tests)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> TAG.matcher(text(file)).find())
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One that is missing would never run in continuous integration. */
  @Test
  void everyLongClassIsInTheTable() throws IOException {
    List<String> table = LongTests.in(TABLES).classes().stream().map(TimedClass::name).toList();
    assertThat(table).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(tagged());
  }

  /** The tests of one that is missing would never run in a build of all modules. */
  @Test
  void everyModuleIsInOnePool() throws IOException {
    Path pool = ROOT.resolve("verticles/tests");
    String poms =
        Files.readString(ROOT.resolve("verticles/coretests/pom.xml"))
            + Files.readString(pool.resolve("pom.xml"));
    assertThat(modules())
        .hasSizeGreaterThan(10)
        .filteredOn(module -> !module.endsWith("bootstrap")) // runs its own
        .allSatisfy(
            module ->
                assertThat(poms)
                    .containsOnlyOnce(
                        "<directory>%s/target/test-classes</directory>"
                            .formatted(pool.relativize(module))));
  }

  @Test
  void everyAreaHasPathsThatExist() throws IOException {
    LongTests tests = LongTests.in(TABLES);
    assertThat(tests.paths()).allSatisfy(each -> assertThat(ROOT.resolve(each.path())).exists());
    assertThat(tests.paths().stream().map(AreaPath::area).distinct())
        .containsExactlyInAnyOrderElementsOf(
            tests.classes().stream()
                .flatMap(each -> each.areas().stream())
                .collect(Collectors.toSet()));
  }

  @Test
  void shardsTakeEquallyLongAndHaveEachClassOnce() throws IOException {
    LongTests tests = LongTests.in(TABLES);
    List<List<TimedClass>> shards = tests.shards();
    assertThat(shards).hasSize(LongTests.SHARDS);
    assertThat(shards.stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(tests.classes());
    int longest = tests.classes().stream().mapToInt(TimedClass::seconds).max().orElseThrow();
    List<Integer> sums =
        shards.stream()
            .map(shard -> shard.stream().mapToInt(TimedClass::seconds).sum())
            .sorted()
            .toList();
    assertThat(sums.get(sums.size() - 1) - sums.get(0)).isLessThanOrEqualTo(longest);
  }

  @Test
  void aChangeTouchesTheClassesOfItsAreasAndThoseThatItChanges() {
    TimedClass store = taking(5, "StoreTest", "store", "commit");
    TimedClass page = taking(5, "PageIT", "page");
    TimedClass other = taking(5, "OtherIT");
    LongTests tests =
        new LongTests(
            List.of(store, page, other),
            List.of(new AreaPath("store", "store/src/main/"), new AreaPath("page", "page/")));
    assertThat(tests.touched(List.of("store/src/main/Store.java", "README.md")))
        .containsExactly(store);
    assertThat(tests.touched(List.of("store/src/test/StoreOfOthers.java"))).isEmpty();
    assertThat(tests.touched(List.of("x/src/test/java/OtherIT.java", "page/index.html")))
        .containsExactly(page, other);
    assertThat(tests.touched(List.of())).isEmpty();
  }

  @Test
  void theListsOfAShardNameUnitsAndIntegrationTestsApart(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("long.tsv"), "# classes\n\nAIT\t9\t-\nBTest\t8\tstore\n");
    Files.writeString(folder.resolve("areas.tsv"), "store\tstore/\n");
    String out = folder.resolve("out").toString();
    LongTests.main(new String[] {folder.toString(), "0", out, "store/x"});
    assertThat(folder.resolve("out/units")).content().isEqualTo("none\n**/BTest.java\n");
    assertThat(folder.resolve("out/its")).content().isEqualTo("none\n**/AIT.java\n");
  }

  @Test
  void aLineWithOtherColumnsIsNamed(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("long.tsv"), "AIT 9 -\n");
    assertThatThrownBy(() -> LongTests.in(folder))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("long.tsv: \"AIT 9 -\" has 1 columns, not 3");
  }
}
