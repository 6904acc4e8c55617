package io.callboard.pollers.file;

import io.callboard.time.Time;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Files that can be taken: those that match, and have not changed for a while. Blocks. Not
 * thread-safe.
 */
final class Candidates {
  /** Maximum number of files that one listing regards. */
  static final int MOST = 10_000;

  private static final int DEEPEST = 32;

  private final DirectorySettings settings;
  private final Time time;
  private final Deque<Candidate> ready = new ArrayDeque<>();

  /** What the last listing saw, by relative path. */
  private Map<Path, Candidate> seen = new HashMap<>();

  Candidates(DirectorySettings settings, Time time) {
    this.settings = settings;
    this.time = time;
  }

  /**
   * File as it was seen.
   *
   * @param path relative path
   * @param sinceNanos when it was first seen in this state
   */
  record Candidate(Path path, long size, FileTime modified, long sinceNanos) {
    boolean isAs(long otherSize, FileTime otherModified) {
      return size == otherSize && modified.equals(otherModified);
    }

    boolean isAs(FileState other) {
      return other.equals(new FileState(size, modified.to(TimeUnit.NANOSECONDS)));
    }
  }

  /** Returns the next one, the oldest first; null if there is none now. Lists when it must. */
  @Nullable Candidate next() {
    return ready.poll();
  }

  /**
   * Lists the directory unless candidates of the last listing are left.
   *
   * @param isLate whether to go on with what was found so far
   */
  void look(BooleanSupplier isLate) throws IOException {
    if (!ready.isEmpty()) {
      return;
    }
    long nowNanos = time.nanoTime();
    Map<Path, Candidate> now = new HashMap<>();
    for (Candidate found : list(isLate, nowNanos)) {
      Candidate before = seen.get(found.path());
      boolean isSame = before != null && before.isAs(found.size(), found.modified());
      now.put(found.path(), isSame ? before : found);
    }
    seen = now;
    now.values().stream()
        .filter(each -> nowNanos - each.sinceNanos() >= settings.settle().toNanos())
        .sorted(Comparator.comparing(Candidate::modified).thenComparing(Candidate::path))
        .forEach(ready::add);
  }

  /** Returns the number of files that match and were found in time, at most {@link #MOST}. */
  int count(BooleanSupplier isLate) throws IOException {
    return list(isLate, 0).size();
  }

  private List<Candidate> list(BooleanSupplier isLate, long nowNanos) throws IOException {
    Path root = settings.path().toRealPath(); // it may be a link itself, and nothing below
    List<Candidate> found = new ArrayList<>();
    Path unused =
        Files.walkFileTree(
            root,
            Set.of(),
            settings.recursive() ? DEEPEST : 1,
            new SimpleFileVisitor<>() {
              @Override
              public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
                boolean isBelow = each.equals(root) || !FileTrees.isHidden(each);
                return isBelow ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
              }

              @Override
              public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                Path path = root.relativize(file);
                if (attributes.isRegularFile()
                    && !FileTrees.isHidden(file)
                    && settings.glob().matches(path)) {
                  found.add(
                      new Candidate(
                          path, attributes.size(), attributes.lastModifiedTime(), nowNanos));
                }
                return found.size() < MOST && !isLate.getAsBoolean()
                    ? FileVisitResult.CONTINUE
                    : FileVisitResult.TERMINATE;
              }

              @Override
              public FileVisitResult visitFileFailed(Path file, IOException cause)
                  throws IOException {
                if (file.equals(root)) {
                  throw cause;
                }
                return FileVisitResult.CONTINUE; // gone since it was listed, or not ours to read
              }
            });
    return found;
  }
}
