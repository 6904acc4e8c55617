package io.callboard.node.internal.data;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Names of the node of a data directory, as its file has them: the name in the first line, then a
 * line for each former one with when it was given up.
 *
 * @param name the last one
 * @param former names, each with when the node was first started with another one
 */
record NodeNameRecord(String name, Map<String, Instant> former) {
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}";

  /** Copies the names. */
  NodeNameRecord {
    former = Map.copyOf(former);
  }

  /**
   * Returns what the file has; empty if there is none.
   *
   * @throws IllegalArgumentException if it is damaged; the message names it
   */
  static Optional<NodeNameRecord> read(Path file) throws IOException {
    try {
      List<String> lines = Files.readAllLines(file);
      Map<String, Instant> former = new LinkedHashMap<>();
      lines.stream()
          .skip(1)
          .map(line -> line.split(" "))
          .forEach(parts -> former.put(parts[0], Instant.parse(parts[1])));
      if (lines.get(0).matches(NAME)) {
        return Optional.of(new NodeNameRecord(lines.get(0), former));
      }
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (CharacterCodingException | DateTimeException | IndexOutOfBoundsException e) {
      // refused below, as a name that can be none
    }
    throw new IllegalArgumentException(
        "%s is damaged: its first line must be the name of the node, each other one a former name and the time when it was given up"
            .formatted(file));
  }

  /** Returns the names of a node that is called {@code next} from now on. */
  NodeNameRecord called(String next, Instant now) {
    if (next.equals(name)) {
      return this;
    }
    Map<String, Instant> all = new LinkedHashMap<>(former);
    all.remove(next);
    all.put(name, now);
    return new NodeNameRecord(
        next,
        all.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .limit(DataDirectory.FORMER_NAMES)
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  /** Returns the text of the file. */
  String text() {
    return former.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .map(each -> "\n" + each.getKey() + " " + each.getValue())
        .collect(Collectors.joining("", name, ""));
  }
}
