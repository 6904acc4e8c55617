package io.callboard.internal.turn;

import io.callboard.codecs.Envelope;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of an at-most-once actor between the commit that consumes them and the one that
 * makes durable what their handlers did. Only here do they still exist: which of them end without
 * having been handled, or without their effects, is told. Not thread-safe.
 *
 * <p>At most {@link #MOST} of them are anywhere in here that are consumed: the commit that consumes
 * the next ones is the one that completes those before.
 */
public final class AtMostOnceWindow {
  /**
   * Messages consumed by one commit at most, hence lost by a crash at most. A commit costs as much
   * as some tens of short handlers, so more would hardly be faster.
   */
  static final int MOST = 64;

  /** A message that will not be handled again, and why what it wanted did not become durable. */
  public record Lost(Envelope message, Throwable cause) {}

  private final Consumer<Lost> listener;
  private TurnStep.@Nullable CommitTurns underWay;
  private List<MailboxMessage> coming = List.of();
  private final Deque<MailboxMessage> waiting = new ArrayDeque<>();
  private final Deque<MailboxMessage> open = new ArrayDeque<>();

  AtMostOnceWindow(Consumer<Lost> listener) {
    this.listener = listener;
  }

  /** That commit is under way. */
  void consuming(TurnStep.CommitTurns step) {
    underWay = step;
    coming = step.ahead();
  }

  /** Those that the commit under way consumes. */
  List<MailboxMessage> coming() {
    return coming;
  }

  /** That commit is durable, and with it all that was done before. */
  void committed() {
    open.clear();
    waiting.addAll(coming);
    coming = List.of();
  }

  /**
   * That one is not, and will not be: what it was to consume is still in the mailbox, but what was
   * done before is in vain.
   */
  void notCommitted(TurnStep.CommitTurns step, Throwable cause) {
    if (step == underWay) {
      coming = List.of();
      loseOpen(cause);
    }
  }

  /**
   * That one was under way when the life ended, and is durable, or may be.
   *
   * @param cause why what it consumed is lost if the actor does not run here any more
   */
  void landed(TurnStep.CommitTurns step, Throwable cause) {
    if (step == underWay) {
      committed();
    } else {
      step.ahead().forEach(mailboxMessage -> lose(mailboxMessage, cause));
    }
  }

  /** Hands out all that wait. */
  List<MailboxMessage> take() {
    List<MailboxMessage> slice = List.copyOf(waiting);
    open.addAll(slice);
    waiting.clear();
    return slice;
  }

  /** The last one handed out was not handled yet. */
  void putBack() {
    waiting.addFirst(open.removeLast());
  }

  /** Its handler failed, or it cannot be read. */
  void failed(Throwable cause) {
    lose(waiting.removeFirst(), cause);
  }

  /** What was handed out is not durable and will not be; what waits is for the next life. */
  void loseOpen(Throwable cause) {
    open.forEach(mailboxMessage -> lose(mailboxMessage, cause));
    open.clear();
  }

  /** No further life here. */
  void loseAll(Throwable cause) {
    underWay = null;
    loseOpen(cause);
    waiting.forEach(mailboxMessage -> lose(mailboxMessage, cause));
    waiting.clear();
    coming = List.of();
  }

  private void lose(MailboxMessage mailboxMessage, Throwable cause) {
    @Nullable Envelope envelope = mailboxMessage.envelope();
    if (envelope != null) {
      listener.accept(new Lost(envelope, cause));
    }
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** That wait to be handled. */
  int size() {
    return waiting.size();
  }
}
