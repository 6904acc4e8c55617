package io.callboard.pollers.internal.file;

import io.callboard.time.Time;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Failures to take, read or set aside files, and directories that are left out, each until that
 * succeeds, the file is gone, or nobody has tried for too long. Only {@link #first} may be called
 * by other threads.
 */
final class FileTroubles implements FileWalk.Observer {
  /** Time by which a further attempt may be late. */
  private static final Duration LATE = Duration.ofMinutes(1);

  /** Time by which every directory is tried again, however long a walk to it is. */
  private static final Duration WALK = Duration.ofMinutes(30);

  private final Path root;
  private final Time time;
  private final Map<Path, Note> notes = new LinkedHashMap<>();
  private volatile @Nullable String first;

  /**
   * Trouble with a file.
   *
   * @param isInPlace whether it still is where its sender has put it
   */
  private record Note(String cause, boolean isInPlace, long endNanos) {}

  FileTroubles(Path root, Time time) {
    this.root = root;
    this.time = time;
  }

  /**
   * Records a failure.
   *
   * @param file its path in the directory
   * @param next time after which it is tried again
   */
  void add(Path file, String cause, boolean isInPlace, Duration next) {
    notes.remove(file);
    if (notes.size() >= Candidates.MOST) {
      notes.remove(notes.keySet().iterator().next()); // the oldest
    }
    long length = Time.atMostLongest(next).plus(LATE).toNanos();
    notes.put(file, new Note(cause, isInPlace, time.nanoTime() + length));
  }

  @Override
  public void entered(Path directory) {
    remove(directory);
  }

  @Override
  public void leftOut(Path directory, String why) {
    add(directory, why, true, WALK);
  }

  /** Forgets the failures of a file, as it was delivered or set aside. */
  void remove(Path file) {
    notes.remove(file);
  }

  /** Forgets the failures that are over, and makes the oldest of the others the {@link #first}. */
  void update() {
    String found = null;
    Iterator<Map.Entry<Path, Note>> all = notes.entrySet().iterator();
    while (found == null && all.hasNext()) {
      Map.Entry<Path, Note> each = all.next();
      if (isOver(each.getKey(), each.getValue())) {
        all.remove();
      } else {
        found =
            "%,d files or directories cannot be taken, read or set aside, one of them %s: %s"
                .formatted(notes.size(), each.getKey(), each.getValue().cause());
      }
    }
    first = found;
  }

  private boolean isOver(Path file, Note note) {
    return time.nanoTime() - note.endNanos() >= 0
        || (note.isInPlace() && Files.notExists(root.resolve(file), LinkOption.NOFOLLOW_LINKS));
  }

  /** Returns the number of failures at the last {@link #update}, and the cause of the oldest. */
  Optional<String> first() {
    return Optional.ofNullable(first);
  }
}
