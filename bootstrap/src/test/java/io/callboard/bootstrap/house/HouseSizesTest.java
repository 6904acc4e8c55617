package io.callboard.bootstrap.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A file or a room that grows beyond what a reader takes in says why, in a line that begins with
 * {@code Size:}; nothing is cut for a ruler. Tests are not measured.
 */
class HouseSizesTest {
  private static final Pattern REASON =
      Pattern.compile("(?m)^\\s*(//|\\*)\\s*(<p>)?Size: \\S+ \\S+ .*");

  private static final int MOST_LINES = 500;
  private static final int MOST_LINES_OF_A_NOTE = 80;
  private static final int MOST_FILES = 40;
  private static final int MOST_FILES_OF_A_ROOM = 25;
  private static final int MOST_LINES_OF_A_ROOM = 3_500;

  private static final Map<Path, Long> LINES =
      Sources.ofTheProduct().stream()
          .collect(Collectors.toMap(file -> file, Sources::lines, Math::max, TreeMap::new));

  @ParameterizedTest
  @ValueSource(strings = {"main", "examples", "chaos", "jmh"})
  void everySourceSetIsMeasured(String sourceSet) {
    assertThat(LINES.keySet()).anyMatch(file -> Sources.isOf(sourceSet, file));
  }

  @Test
  void aFileOfMoreThan500LinesSaysWhy() {
    Map<Path, Long> silent = new TreeMap<>(LINES);
    silent.keySet().removeIf(HouseSizesTest::saysWhy);
    assertThat(where(silent, lines -> lines > MOST_LINES)).isEmpty();
  }

  @Test
  void aReasonIsALineOfACommentWithSomeWords() {
    assertThat("  // Size: one option each\n").containsPattern(REASON);
    assertThat(" * Size: its rules are one table\n").containsPattern(REASON);
    assertThat("// Size:\n").doesNotContainPattern(REASON);
    assertThat("String size = \"// Size: one two three\";").doesNotContainPattern(REASON);
  }

  /** Longer protocol papers are pages of {@code bootstrap/docs/design}. */
  @Test
  void noPackageNoteHasMoreThan80Lines() {
    Map<Path, Long> notes = new TreeMap<>(LINES);
    notes.keySet().removeIf(file -> !file.endsWith("package-info.java"));
    assertThat(notes).hasSizeGreaterThan(100);
    assertThat(where(notes, lines -> lines > MOST_LINES_OF_A_NOTE)).isEmpty();
  }

  /** The benchmarks are one package, by whose name their tables call them. */
  @Test
  void noPackageHasMoreThan40Files() {
    Stream<Path> files = LINES.keySet().stream().filter(file -> !Sources.isOf("jmh", file));
    assertThat(where(packages(files, Collectors.counting()), n -> n > MOST_FILES)).isEmpty();
  }

  /** Rooms of the implementations; their notes say it. */
  @Test
  void aRoomOfManyFilesOrLinesSaysWhy() {
    assertThat(where(packages(rooms(), Collectors.counting()), n -> n > MOST_FILES_OF_A_ROOM))
        .isEmpty();
    assertThat(
            where(
                packages(rooms(), Collectors.summingLong(LINES::get)),
                n -> n > MOST_LINES_OF_A_ROOM))
        .isEmpty();
  }

  private static Stream<Path> rooms() {
    return LINES.keySet().stream()
        .filter(file -> Sources.isOf("main", file))
        .filter(file -> Sources.unix(file).contains("/internal/"))
        .filter(file -> !saysWhy(file.resolveSibling("package-info.java")));
  }

  private static boolean saysWhy(Path file) {
    try {
      return REASON.matcher(Files.readString(Sources.absolute(file))).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<Path, Long> packages(Stream<Path> files, Collector<Path, ?, Long> counted) {
    return files
        .filter(file -> !file.endsWith("package-info.java"))
        .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, counted));
  }

  private static List<String> where(Map<Path, Long> sizes, Predicate<Long> tooMuch) {
    return sizes.entrySet().stream()
        .filter(each -> tooMuch.test(each.getValue()))
        .map(each -> each.getKey() + ": " + each.getValue())
        .toList();
  }
}
