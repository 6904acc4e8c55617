package io.callboard.testkit;

import io.callboard.codecs.ActorPath;
import io.callboard.testkit.TestedContext.Letter;
import org.jspecify.annotations.Nullable;

/**
 * Which calls of one object of a tested actor belong to the turn that is open; the others are
 * refused, as in a node, and fail the test: whoever made one may have dropped what it threw.
 */
final class TestedTurn {
  private final ActorPath path;
  private Thread thread = Thread.currentThread();
  private @Nullable Letter open;
  private @Nullable Letter asker;
  private boolean answers;
  private boolean over;
  private volatile @Nullable IllegalStateException refused;

  TestedTurn(ActorPath path) {
    this.path = path;
  }

  /** The test goes on, on this thread. */
  void here() {
    thread = Thread.currentThread();
  }

  void begin(Letter letter) {
    here();
    open = letter;
  }

  void end() {
    open = null;
  }

  /** What is called any more is of no interest. */
  void close() {
    over = true;
  }

  /** The message at hand; null between two. */
  @Nullable Letter atHand() {
    return open;
  }

  /** Runs what follows from the answer to an ask of the turn of {@code letter}. */
  void answered(@Nullable Letter letter, Runnable callbacks) {
    asker = letter;
    answers = true;
    try {
      callbacks.run();
    } finally {
      answers = false;
    }
  }

  /** For what belongs to the message at hand. */
  void needTurn(String what) {
    if (over) {
      return;
    }
    Letter now = open;
    boolean theirs = now != null && (!answers || asker == now);
    if (!theirs || thread != Thread.currentThread()) {
      throw refusal(what, "outside of a turn");
    }
  }

  /** For what belongs to the actor, whatever is at hand. */
  void needActor(String what) {
    if (!over && thread != Thread.currentThread()) {
      throw refusal(what, "from another thread");
    }
  }

  private IllegalStateException refusal(String what, String where) {
    Letter now = open;
    IllegalStateException refusal =
        new IllegalStateException(
            "%s of %s %s%s: %s"
                .formatted(
                    what,
                    path,
                    where,
                    thread == Thread.currentThread()
                        ? ""
                        : " (thread %s)".formatted(Thread.currentThread().getName()),
                    (now == null ? "" : "%s is at hand; ".formatted(name(now)))
                        + "a handler that waits is declared with on.async(…) and returns its"
                        + " future, which keeps its turn open; what others complete comes into it"
                        + " with inTurn(future), or as a message with pipeToSelf(future, …)"));
    refused = refusal;
    return refusal;
  }

  private static String name(Letter letter) {
    return letter.message().getClass().getSimpleName();
  }

  /** The last refusal since this was asked; null if there was none. */
  @Nullable IllegalStateException takeRefused() {
    IllegalStateException taken = refused;
    refused = null;
    return taken;
  }
}
