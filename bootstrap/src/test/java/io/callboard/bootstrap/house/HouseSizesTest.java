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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No file and no package of the product grows beyond what a reader takes in. */
class HouseSizesTest {
  private static final int MOST_LINES = 500;
  private static final int MOST_FILES = 40;
  private static final int MOST_FILES_OF_A_ROOM = 25;
  private static final int MOST_LINES_OF_A_ROOM = 3_500;

  private static final Map<Path, Long> LINES = sources();

  @Test
  void noFileHasMoreThan500Lines() {
    assertThat(
            LINES.entrySet().stream()
                .filter(each -> each.getValue() > MOST_LINES)
                .map(each -> each.getKey() + ": " + each.getValue()))
        .isEmpty();
  }

  @Test
  void noPackageHasMoreThan40Files() {
    assertThat(where(packages(Collectors.counting()), files -> files > MOST_FILES)).isEmpty();
  }

  /** What implements the API: {@code io.callboard.internal.*}. */
  @Test
  void noRoomOfTheImplementationIsAHall() {
    assertThat(rooms(where(packages(Collectors.counting()), n -> n > MOST_FILES_OF_A_ROOM)))
        .isEmpty();
    assertThat(
            rooms(
                where(packages(Collectors.summingLong(LINES::get)), n -> n > MOST_LINES_OF_A_ROOM)))
        .isEmpty();
  }

  private static List<String> rooms(List<String> all) {
    return all.stream().filter(room -> room.contains("/callboard/internal/")).toList();
  }

  private static Map<Path, Long> packages(java.util.stream.Collector<Path, ?, Long> counted) {
    return LINES.keySet().stream()
        .filter(file -> !file.endsWith("package-info.java"))
        .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, counted));
  }

  private static List<String> where(Map<Path, Long> sizes, Predicate<Long> tooMuch) {
    return sizes.entrySet().stream()
        .filter(each -> tooMuch.test(each.getValue()))
        .map(each -> each.getKey() + ": " + each.getValue())
        .toList();
  }

  /** The lines of each file of the product's code. */
  private static Map<Path, Long> sources() {
    Path root = Path.of("..").toAbsolutePath().normalize();
    try (Stream<Path> all = Files.walk(root)) {
      Map<Path, Long> lines =
          all.filter(file -> file.toString().endsWith(".java"))
              .filter(file -> file.toString().contains("/src/main/java/"))
              .collect(
                  Collectors.toMap(
                      file -> root.relativize(file),
                      HouseSizesTest::lines,
                      Math::max,
                      TreeMap::new));
      assertThat(lines).as("files of the product").hasSizeGreaterThan(700);
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long lines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
