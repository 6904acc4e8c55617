package io.callboard.testkit;

import io.callboard.testkit.TestedContext.Letter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a tested actor put aside, and took up again; outlives its objects. */
final class TestedStash {
  private final List<Letter> aside = new ArrayList<>();
  private final Deque<Letter> first = new ArrayDeque<>();
  private int released;

  void add(Letter letter) {
    aside.add(letter);
  }

  /** Its turn failed: it is not put aside. */
  void forget(Letter letter) {
    aside.removeIf(each -> each == letter);
    first.removeIf(each -> each == letter);
  }

  /**
   * The object that put them aside ends, and its timers: they outlive it, but for those of timers
   * that it has cancelled.
   */
  void outlive(TestedContext ending) {
    int unused = release();
    List<Letter> left = new ArrayList<>();
    first.forEach(letter -> ending.outlives(letter).ifPresent(left::add));
    first.clear();
    first.addAll(left);
  }

  /** Whether a message of {@code timer} is in it. */
  boolean holds(Effect.TimerStarted timer) {
    return Stream.concat(aside.stream(), first.stream()).anyMatch(each -> each.isOf(timer));
  }

  /** All of it comes next; how many that are. */
  int release() {
    int count = aside.size();
    for (int i = count - 1; i >= 0; i--) {
      first.addFirst(aside.get(i));
    }
    aside.clear();
    released = count;
    return count;
  }

  /** How many the last {@link #release} took up. */
  int released() {
    return released;
  }

  @Nullable Letter poll() {
    return first.pollFirst();
  }
}
