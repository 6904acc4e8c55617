package io.callboard.pollers.internal.file;

import io.callboard.pollers.internal.file.FileWalk.Found;
import io.callboard.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that can be taken: those that match the settings, and have not changed for a while. A
 * listing that takes too long is cut, and the next one goes on there. Blocks. Used by one thread at
 * a time, but for {@link #count} and {@link #close}.
 */
final class Candidates implements AutoCloseable {
  /** Maximum number of files that one listing regards. */
  static final int MOST = 10_000;

  /** Maximum number of files that are remembered until they have not changed for a while. */
  private static final int MOST_SEEN = 100_000;

  private static final Logger log = LoggerFactory.getLogger(Candidates.class);

  /** Observer of a count, which is beside the listings that tell the same. */
  private static final FileWalk.Observer UNOBSERVED =
      new FileWalk.Observer() {
        @Override
        public void entered(Path directory) {}

        @Override
        public void leftOut(Path directory, String why) {}
      };

  private final DirectorySettings settings;
  private final Time time;
  private final FileWalk.Observer observer;
  private final Deque<Candidate> ready = new ArrayDeque<>();

  // guarded by this

  /** Candidates of the last walk by relative path, and those of this one. */
  private Map<Path, Candidate> before = new HashMap<>();

  private Map<Path, Candidate> seen = new HashMap<>();
  private @Nullable FileWalk walk;
  private boolean warned;
  private boolean closed;

  /**
   * Creates a view of a directory.
   *
   * @param observer what {@link #look} tells of directories
   */
  Candidates(DirectorySettings settings, Time time, FileWalk.Observer observer) {
    this.observer = observer;
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

  /** Returns the next file, the oldest first; null if there is none now. Lists when it must. */
  @Nullable Candidate next() {
    return ready.poll();
  }

  /**
   * Lists the directory unless candidates of the last listing are left.
   *
   * @param isLate whether to go on with what was found so far
   */
  synchronized void look(BooleanSupplier isLate) throws IOException {
    if (!ready.isEmpty() || closed) {
      return;
    }
    FileWalk its = walk == null ? new FileWalk(settings, observer) : walk;
    walk = its;
    List<Candidate> settled = new ArrayList<>();
    int regarded = 0;
    try {
      do {
        Found found = its.step();
        if (found != null && settings.glob().matches(found.path())) {
          regarded++;
          regard(found, settled);
        }
      } while (!its.isOver() && regarded < MOST && !isLate.getAsBoolean());
    } catch (IOException e) {
      endWalk();
      its.close();
      throw e;
    }
    settled.sort(Comparator.comparing(Candidate::modified).thenComparing(Candidate::path));
    ready.addAll(settled);
    if (its.isOver()) {
      endWalk();
    } else if (settled.isEmpty()) {
      warn("a listing takes long and has found nothing to take yet; the next one goes on there");
    }
  }

  private void regard(Found found, List<Candidate> settled) {
    long nowNanos = time.nanoTime();
    Candidate its =
        new Candidate(
            found.path(),
            found.attributes().size(),
            found.attributes().lastModifiedTime(),
            nowNanos);
    Candidate known = before.get(its.path());
    if (known != null && known.isAs(its.size(), its.modified())) {
      its = known;
    }
    if (nowNanos - its.sinceNanos() >= settings.settle().toNanos()) {
      settled.add(its);
    }
    if (settings.settle().isZero()) {
      return; // nothing is to be remembered
    } else if (seen.size() < MOST_SEEN) {
      seen.put(its.path(), its);
    } else {
      warn("it has so many files that some are regarded later (up to %,d)".formatted(MOST_SEEN));
    }
  }

  /** Says something once each walk. */
  private void warn(String what) {
    if (!warned) {
      log.warn("the directory {}: {}", settings.path(), what);
    }
    warned = true;
  }

  private void endWalk() {
    walk = null;
    before = seen;
    seen = new HashMap<>();
    warned = false;
  }

  /**
   * Returns the number of files that match and were found in time, at most {@link #MOST}; empty if
   * none was found in time.
   */
  OptionalLong count(BooleanSupplier isLate) throws IOException {
    try (FileWalk all = new FileWalk(settings, UNOBSERVED)) {
      long count = 0;
      while (!all.isOver() && count < MOST) {
        Found found = all.step();
        count += found != null && settings.glob().matches(found.path()) ? 1 : 0;
        if (isLate.getAsBoolean()) {
          return count == 0 && !all.isOver() ? OptionalLong.empty() : OptionalLong.of(count);
        }
      }
      return OptionalLong.of(count);
    }
  }

  /** Ends the walk; lists nothing from then on. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    FileWalk its = walk;
    walk = null;
    if (its != null) {
      its.close();
    }
  }
}
