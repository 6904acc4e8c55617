package io.callboard.supervision;

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

  /** What makes two the same one, whatever was decided about it since. */
  private record Key(Instant at, Kind kind, String node, String cause) {
    static Key of(Failure failure) {
      return new Key(failure.at(), failure.kind(), failure.node(), failure.cause());
    }
  }

  /** One more; interruptions in a row are one. */
  public synchronized void add(Failure next) {
    Failure last = last();
    if (next.kind() == Kind.INTERRUPTED && last != null && last.kind() == Kind.INTERRUPTED) {
      failures.set(failures.size() - 1, last.again(next.at()));
      return;
    }
    failures.add(last == null ? next : sharing(last, next));
    trim();
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
  public synchronized void merge(Collection<Failure> others) {
    Map<Key, Failure> all = new LinkedHashMap<>();
    others.forEach(each -> all.put(Key.of(each), each));
    failures.forEach(each -> all.put(Key.of(each), each));
    failures.clear();
    failures.addAll(all.values());
    failures.sort(Comparator.comparing(Failure::at)); // stable
    trim();
  }

  public synchronized List<Failure> all() {
    return List.copyOf(failures);
  }
}
