package io.callboard.internal.turn;

import io.callboard.codecs.Envelope;
import io.callboard.internal.readahead.MailboxMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages of an at-most-once actor between the commit that consumes them and the one that makes
 * the effects of their handlers durable. They exist only here, so those that end unhandled, or
 * without their effects, are reported. Not thread-safe.
 *
 * <p>It holds at most {@link #MOST} consumed messages: the commit that consumes the next ones also
 * completes those before.
 */
public final class AtMostOnceWindow {
  /**
   * Limit of the messages consumed by one commit, and so of those lost by a crash. A commit costs
   * as much as some tens of short handlers, so more would hardly be faster.
   */
  static final int MOST = 64;

  /** Message that will not be handled again, and why its effects did not become durable. */
  public record Lost(Envelope message, Throwable cause) {}

  private final Consumer<Lost> listener;
  private TurnStep.@Nullable CommitTurns underWay;
  private List<MailboxMessage> coming = List.of();
  private final Deque<MailboxMessage> waiting = new ArrayDeque<>();
  private final Deque<MailboxMessage> open = new ArrayDeque<>();

  AtMostOnceWindow(Consumer<Lost> listener) {
    this.listener = listener;
  }

  /** Records that the commit is under way. */
  void consuming(TurnStep.CommitTurns step) {
    underWay = step;
    coming = step.ahead();
  }

  /** Returns the messages that the commit under way consumes. */
  List<MailboxMessage> coming() {
    return coming;
  }

  /** Records that the commit is durable, and with it the effects of the messages before. */
  void committed() {
    open.clear();
    waiting.addAll(coming);
    coming = List.of();
  }

  /**
   * Records that the commit will not be durable: the messages it was to consume are still in the
   * mailbox, but the effects of those before are lost.
   */
  void notCommitted(TurnStep.CommitTurns step, Throwable cause) {
    if (step == underWay) {
      coming = List.of();
      loseOpen(cause);
    }
  }

  /**
   * Records a commit that was under way when the life ended, and is durable, or may be.
   *
   * @param cause why its messages are lost if the actor does not run here any more
   */
  void landed(TurnStep.CommitTurns step, Throwable cause) {
    if (step == underWay) {
      committed();
    } else {
      step.ahead().forEach(mailboxMessage -> lose(mailboxMessage, cause));
    }
  }

  /** Hands out all waiting messages. */
  List<MailboxMessage> take() {
    List<MailboxMessage> slice = List.copyOf(waiting);
    open.addAll(slice);
    waiting.clear();
    return slice;
  }

  /** Puts the last message handed out back, not handled. */
  void putBack() {
    waiting.addFirst(open.removeLast());
  }

  /** Drops the next message: its handler failed, or it cannot be read. */
  void failed(Throwable cause) {
    lose(waiting.removeFirst(), cause);
  }

  /** Reports the messages handed out as lost; waiting ones are left to the next life. */
  void loseOpen(Throwable cause) {
    open.forEach(mailboxMessage -> lose(mailboxMessage, cause));
    open.clear();
  }

  /** Reports all messages as lost: no further life begins here. */
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

  /** Returns the number of messages waiting to be handled. */
  int size() {
    return waiting.size();
  }
}
