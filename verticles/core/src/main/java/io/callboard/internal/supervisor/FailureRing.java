package io.callboard.internal.supervisor;

import io.callboard.supervision.Causes;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.Failure.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ring of the last failures of one actor or failure zone, oldest first; made at the first failure.
 * The last {@value #STACKS} keep their stacks; equal texts are shared. Thread-safe.
 */
public final class FailureRing {
  /** Limit of the failures kept. */
  public static final int MOST = 20;

  /** Limit of the failures kept with their stacks. */
  static final int STACKS = 5;

  private final List<Failure> failures = new ArrayList<>();
  private final Object explaining = new Object();

  /** The last failure, if it has no stack yet. */
  private @Nullable Unexplained unexplained;

  /** Identity of a failure, whatever was decided about it since. */
  private record Key(Instant at, Kind kind, String node, String cause) {
    static Key of(Failure failure) {
      return new Key(failure.at(), failure.kind(), failure.node(), failure.cause());
    }
  }

  private record Unexplained(Key failure, Throwable cause) {}

  /** Adds a failure; transient ones in a row are one. */
  public void add(Failure next) {
    synchronized (explaining) {
      explain();
      put(next, null);
    }
  }

  /**
   * Adds a failure whose stack is formatted later, by {@link #explain} or the first reader.
   *
   * @param next without a stack
   */
  public void add(Failure next, Throwable cause) {
    synchronized (explaining) {
      explain();
      put(next, cause);
    }
  }

  private synchronized void put(Failure next, @Nullable Throwable cause) {
    Failure last = last();
    if (next.kind() == Kind.INTERRUPTED && last != null && last.kind() == Kind.INTERRUPTED) {
      failures.set(failures.size() - 1, last.again(next.at()));
      return;
    }
    failures.add(last == null ? next : sharing(last, next));
    unexplained = cause == null ? null : new Unexplained(Key.of(next), cause);
    trim();
  }

  /** Formats the stack of the last failure, and releases its cause. */
  public void explain() {
    synchronized (explaining) {
      Unexplained next = takeUnexplained();
      if (next != null) {
        explained(next.failure(), Causes.stack(next.cause())); // others go on meanwhile
      }
    }
  }

  private synchronized @Nullable Unexplained takeUnexplained() {
    Unexplained taken = unexplained;
    unexplained = null;
    return taken;
  }

  private synchronized void explained(Key failure, @Nullable String stack) {
    for (int i = failures.size() - 1; i >= 0; i--) {
      if (Key.of(failures.get(i)).equals(failure)) {
        Failure told = failures.get(i).withStack(stack);
        failures.set(i, i == 0 ? told : sharing(failures.get(i - 1), told));
        trim();
        return;
      }
    }
  }

  private @Nullable Failure last() {
    return failures.isEmpty() ? null : failures.get(failures.size() - 1);
  }

  private static Failure sharing(Failure last, Failure next) {
    boolean sameCause = next.cause().equals(last.cause());
    boolean sameStack = next.stack() != null && next.stack().equals(last.stack());
    return sameCause || sameStack
        ? new Failure(
            next.at(),
            next.kind(),
            sameCause ? last.cause() : next.cause(),
            sameStack ? last.stack() : next.stack(),
            next.node(),
            next.restarts(),
            next.times(),
            next.decision(),
            next.delay())
        : next;
  }

  private void trim() {
    while (failures.size() > MOST) {
      failures.remove(0);
    }
    for (int i = 0; i < failures.size() - STACKS; i++) {
      failures.set(i, failures.get(i).withoutStack());
    }
  }

  /** Records the decision about the last failure that ended a life, unless it has one. */
  public synchronized void decided(Directive directive, @Nullable Duration delay) {
    for (int i = failures.size() - 1; i >= 0; i--) {
      Failure each = failures.get(i);
      if (each.kind().endsLife()) {
        if (each.decision() == null) {
          failures.set(i, each.decided(directive, delay));
        }
        return;
      }
    }
  }

  /** Adds failures known elsewhere; of one that is here already, the present one is kept. */
  public void merge(Collection<Failure> others) {
    synchronized (explaining) {
      explain();
      with(others);
    }
  }

  private synchronized void with(Collection<Failure> others) {
    Map<Key, Failure> all = new LinkedHashMap<>();
    others.forEach(each -> all.put(Key.of(each), each));
    failures.forEach(each -> all.put(Key.of(each), each));
    failures.clear();
    failures.addAll(all.values());
    failures.sort(Comparator.comparing(Failure::at)); // stable
    trim();
  }

  /**
   * Returns the last failure that ended a life, if no other life has followed; else null.
   *
   * @param restarts so far: a failure before the last restart was mended by it
   */
  public @Nullable Failure fatal(int restarts) {
    List<Failure> failures = all();
    for (int i = failures.size() - 1; i >= 0; i--) {
      Failure each = failures.get(i);
      if (each.kind().endsLife()) {
        return each.isFatal() && each.restarts() == restarts ? each : null;
      }
    }
    return null;
  }

  public List<Failure> all() {
    explain();
    return copy();
  }

  private synchronized List<Failure> copy() {
    return List.copyOf(failures);
  }
}
