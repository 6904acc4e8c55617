package io.callboard.turn;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns of one actor that will commit together. Not thread-safe. */
final class Batch {
  private final List<Handled> turns = new ArrayList<>();
  private long bytes;
  private long beganNanos;
  private int consumed;
  private int operations;

  void add(Handled handled, long nowNanos) {
    if (turns.isEmpty()) {
      beganNanos = nowNanos;
    }
    turns.add(handled);
    bytes += handled.turn().bytes();
    Input input = handled.input();
    if (input != null) {
      consumed++;
      operations += input.operations();
    }
  }

  /** Since its first turn. */
  long ageNanos(long nowNanos) {
    return nowNanos - beganNanos;
  }

  List<Handled> turns() {
    return List.copyOf(turns);
  }

  int size() {
    return turns.size();
  }

  boolean isEmpty() {
    return turns.isEmpty();
  }

  /** The message of the mailbox that it consumes, if that is all it holds; else null. */
  @Nullable Input only() {
    return turns.size() == 1 ? turns.get(0).input() : null;
  }

  /** Of the durable messages that its turns send. */
  long bytes() {
    return bytes;
  }

  /** Messages of the mailbox that it consumes. */
  int consumed() {
    return consumed;
  }

  /** Of a commit that consumes them. */
  int operations() {
    return operations;
  }

  void clear() {
    turns.clear();
    bytes = 0;
    consumed = 0;
    operations = 0;
  }
}
