package io.callboard.chaos.evidence;

import io.callboard.chaos.runs.StepLine;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Files that the steps of workflows have written, read as they grow. Thread-safe. */
public final class StepFiles {
  private final Path directory;
  private final String last;
  private final Map<Path, Long> read = new HashMap<>();
  private final Set<String> reached = new HashSet<>();

  /**
   * Looks at a directory, which need not be there yet.
   *
   * @param last id of the last step of the workflow
   */
  public StepFiles(Path directory, String last) {
    this.directory = directory;
    this.last = last;
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(StepNotes.ENDING)).toList();
    }
  }

  /** Returns how many instances have come to the end of their last step. */
  public synchronized int reachedEnd() throws IOException {
    for (Path file : files()) {
      for (String line : news(file).split("\n")) {
        StepLine.parse(line)
            .filter(each -> each.what().equals("end") && each.step().equals(last))
            .ifPresent(each -> reached.add(each.instance()));
      }
    }
    return reached.size();
  }

  /** Returns the whole lines that a file has got since the last look. */
  private String news(Path path) throws IOException {
    long from = read.getOrDefault(path, 0L);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      byte[] bytes = new byte[(int) Math.min(file.length() - from, Integer.MAX_VALUE / 2)];
      file.seek(from);
      file.readFully(bytes);
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] != '\n') {
        end--;
      }
      read.put(path, from + end);
      return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
  }

  /** Returns all lines. */
  public List<StepLine> lines() throws IOException {
    List<StepLine> all = new ArrayList<>();
    for (Path file : files()) {
      try (Stream<String> lines = Files.lines(file)) {
        lines.flatMap(line -> StepLine.parse(line).stream()).forEach(all::add);
      }
    }
    return all;
  }
}
