package io.callboard.internal.supervisor;

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
 * The last failures of one actor or failure zone, oldest first; made at the first. The last {@value
 * #STACKS} keep their stacks, and equal texts are one in memory. Thread-safe.
 */
public final class FailureRing {
  /** Failures that are remembered. */
  public static final int MOST = 20;

  /** Of them, with their stacks. */
  static final int STACKS = 5;

  private final List<Failure> failures = new ArrayList<>();
  private final Object explaining = new Object();

  /** Of the last failure, which has no stack yet. */
  private @Nullable Unexplained unexplained;

  /** What makes two the same one, whatever was decided about it since. */
  private record Key(Instant at, Kind kind, String node, String cause) {
    static Key of(Failure failure) {
      return new Key(failure.at(), failure.kind(), failure.node(), failure.cause());
    }
  }

  private record Unexplained(Key failure, Throwable cause) {}

  /** One more; interruptions in a row are one. */
  public void add(Failure next) {
    synchronized (explaining) {
      explain();
      put(next, null);
    }
  }

  /**
   * One more, of which nobody waits for the stack: {@link #explain} tells it, or who reads first.
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

  /** Tells the stack of the last failure, and keeps its cause no more. */
  public void explain() {
    synchronized (explaining) {
      Unexplained next = takeUnexplained();
      if (next != null) {
        explained(next.failure(), Failure.stack(next.cause())); // others go on meanwhile
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

  /** What was decided about the last one that ended a life; one decides once. */
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

  /** What is known of it from elsewhere; of one that is known here already, this one counts. */
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
   * The last failure that ended a life, if that was not followed by another life.
   *
   * @param restarts so far: one before the last restart was mended by that
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
