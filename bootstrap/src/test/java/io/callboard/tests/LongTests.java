package io.callboard.tests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Classes with tests tagged {@code long}, dealt to shards that take equally long. Continuous
 * integration runs one shard with each change, by turns, and those of what the change touches.
 *
 * <p>A program for {@code .ci/shard}, which the JDK runs from its source: it needs no other class.
 *
 * @param classes classes of the table {@code conf/tests/long.tsv}
 * @param paths paths of the table {@code conf/tests/areas.tsv}
 */
public record LongTests(List<TimedClass> classes, List<AreaPath> paths) {
  /** Shards of the table. */
  static final int SHARDS = 8;

  /**
   * Class with tests tagged {@code long}.
   *
   * @param name simple name
   * @param seconds duration of its long tests on two idle cores
   * @param areas areas whose changes it should see at once, perhaps none
   */
  record TimedClass(String name, int seconds, Set<String> areas) {}

  /** Beginning of the paths of an area. */
  record AreaPath(String area, String path) {}

  /** Reads both tables below a folder. */
  static LongTests in(Path folder) throws IOException {
    List<TimedClass> classes = new ArrayList<>();
    for (String[] row : rows(folder.resolve("long.tsv"), 3)) {
      Set<String> areas = row[2].equals("-") ? Set.of() : Set.of(row[2].split(","));
      classes.add(new TimedClass(row[0], Integer.parseInt(row[1]), areas));
    }
    List<AreaPath> paths = new ArrayList<>();
    for (String[] row : rows(folder.resolve("areas.tsv"), 2)) {
      paths.add(new AreaPath(row[0], row[1]));
    }
    return new LongTests(List.copyOf(classes), List.copyOf(paths));
  }

  private static List<String[]> rows(Path table, int columns) throws IOException {
    List<String[]> rows = new ArrayList<>();
    for (String line : Files.readAllLines(table)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] row = line.split("\t");
      if (row.length != columns) {
        throw new IOException(
            "%s: \"%s\" has %d columns, not %d".formatted(table, line, row.length, columns));
      }
      rows.add(row);
    }
    return rows;
  }

  /** Deals the classes, the longest first, each to the shard that is the shortest so far. */
  List<List<TimedClass>> shards() {
    List<List<TimedClass>> shards = new ArrayList<>();
    int[] seconds = new int[SHARDS];
    for (int i = 0; i < SHARDS; i++) {
      shards.add(new ArrayList<>());
    }
    Comparator<TimedClass> longestFirst =
        Comparator.comparingInt(TimedClass::seconds).reversed().thenComparing(TimedClass::name);
    for (TimedClass each : classes.stream().sorted(longestFirst).toList()) {
      int shortest = 0;
      for (int i = 1; i < SHARDS; i++) {
        shortest = seconds[i] < seconds[shortest] ? i : shortest;
      }
      shards.get(shortest).add(each);
      seconds[shortest] += each.seconds();
    }
    return shards;
  }

  /** Returns the classes that should see a change of these files at once. */
  List<TimedClass> touched(List<String> files) {
    Set<String> areas =
        paths.stream()
            .filter(each -> files.stream().anyMatch(file -> file.startsWith(each.path())))
            .map(AreaPath::area)
            .collect(Collectors.toSet());
    return classes.stream()
        .filter(each -> each.areas().stream().anyMatch(areas::contains) || isItself(each, files))
        .toList();
  }

  private static boolean isItself(TimedClass each, List<String> files) {
    return files.stream().anyMatch(file -> file.endsWith("/" + each.name() + ".java"));
  }

  /**
   * Writes the names of a shard, and of the classes that a change touches, as lists for Maven.
   *
   * @param arguments the folder of the tables, the number of the shard, the folder for the lists
   *     {@code units} and {@code its}, and the files that the change touches
   */
  public static void main(String[] arguments) throws IOException {
    LongTests tests = in(Path.of(arguments[0]));
    List<TimedClass> shard = tests.shards().get(Integer.parseInt(arguments[1]));
    Path folder = Files.createDirectories(Path.of(arguments[2]));
    List<TimedClass> touched = tests.touched(List.of(arguments).subList(3, arguments.length));
    Set<String> names =
        Stream.concat(shard.stream(), touched.stream())
            .map(TimedClass::name)
            .collect(Collectors.toCollection(TreeSet::new));
    write(folder.resolve("units"), names.stream().filter(name -> !name.endsWith("IT")));
    write(folder.resolve("its"), names.stream().filter(name -> name.endsWith("IT")));
    System.out.println("of the shard:  " + names(shard));
    System.out.println("of the change: " + names(touched));
  }

  /** An empty list would stand for all classes: a name that no class has says none. */
  private static void write(Path list, Stream<String> names) throws IOException {
    Stream<String> patterns = names.map("**/%s.java"::formatted);
    Files.write(list, Stream.concat(Stream.of("none"), patterns).toList());
  }

  private static String names(List<TimedClass> classes) {
    return classes.isEmpty()
        ? "none"
        : classes.stream().map(TimedClass::name).collect(Collectors.joining(" "));
  }
}
