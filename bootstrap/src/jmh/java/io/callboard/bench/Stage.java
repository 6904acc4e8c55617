package io.callboard.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Setting of a row: how much time it may take, and where its files go.
 *
 * @param quick whether the row must end within 50 s, or 90 s if it starts servers of other systems
 * @param data empty directory on a disk, removed at the end
 */
record Stage(boolean quick, Path data) {
  private static final Duration QUICK_LIMIT = Duration.ofMinutes(2);
  private static final Duration LIMIT = Duration.ofHours(1);

  /** Bytes of a payload. */
  List<Integer> sizes() {
    return quick ? List.of(100) : List.of(100, 1_000, 10_000);
  }

  /** Returns the number of measured repetitions. */
  int repetitions() {
    return quick ? 3 : 5;
  }

  /** Repetitions before them that are not measured. */
  int warmups() {
    return 2;
  }

  /** Returns the duration of a repetition, or of a warm-up. */
  Duration time(boolean warmup) {
    if (quick) {
      return Duration.ofMillis(warmup ? 1_200 : 500);
    }
    return Duration.ofSeconds(warmup ? 4 : 3);
  }

  /** Returns that duration for a row with many contenders, whose operations take microseconds. */
  Duration moment(boolean warmup) {
    return quick ? Duration.ofMillis(warmup ? 400 : 250) : time(warmup);
  }

  /** Returns the time after which a row counts as stuck. */
  Duration limit() {
    return quick ? QUICK_LIMIT : LIMIT;
  }

  /** Creates a directory below {@link #data}. */
  Path directory(String name) throws IOException {
    return Files.createTempDirectory(Files.createDirectories(data), name + "-").toAbsolutePath();
  }

  /** Removes what the row left. */
  void clear() {
    if (!Files.exists(data)) {
      return;
    }
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("%s cannot be removed".formatted(data), e);
    }
  }

  /** Returns a label such as {@code 100 B} or {@code 10 KB}. */
  static String label(int bytes) {
    return bytes < 1_000 ? bytes + " B" : bytes / 1_000 + " KB";
  }
}
