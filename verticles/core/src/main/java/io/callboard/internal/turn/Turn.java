package io.callboard.internal.turn;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Handling;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.TraceContext;
import io.callboard.codecs.WrittenEvent;
import io.callboard.internal.mailbox.Envelopes;
import io.callboard.internal.mailbox.Reply;
import io.callboard.store.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Effects of handling one message, collected until its commit. Written on the actor's context while
 * the handler runs, read on the durable context afterwards.
 */
public final class Turn {
  /** Message to a durable actor, sent and numbered by the commit. */
  public record Outgoing(ActorPath receiver, Envelope envelope) {}

  /** Bytes of an outbox entry in a commit, besides its message. */
  private static final int ENTRY_BYTES = 250;

  private static final MessageId UNNUMBERED = new MessageId("", 0);

  private final Reply reply;
  private final @Nullable TraceContext trace;
  private final List<Outgoing> outgoing = new ArrayList<>(2);
  private final List<WrittenEvent> events = new ArrayList<>(2);
  private final List<OutboxEntryChange> entries = new ArrayList<>(0);
  private final List<Object> enlisted = new ArrayList<>(0);
  private final List<Runnable> leaving = new ArrayList<>(2);
  private final List<Runnable> afterCommit = new ArrayList<>(2);
  private @Nullable Object state;
  private long bytes;
  private long large;
  private boolean wishesSnapshot;
  private boolean goesOn;
  private boolean deletes;
  private boolean aside;
  private int released;
  private boolean closed;
  private boolean readOnly;
  private @Nullable IllegalStateException wrote;

  /** Begins a turn without a trace. */
  public Turn(Reply reply) {
    this(reply, null);
  }

  /**
   * @param trace the trace of its message; null if it has none
   */
  public Turn(Reply reply, @Nullable TraceContext trace) {
    this.reply = reply;
    this.trace = trace;
  }

  /**
   * Sends a message.
   *
   * @param replyTo the reply address; null if no answer is wanted
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE} or {@code BAD_MESSAGE}
   */
  public void send(
      ActorPath receiver, Object message, @Nullable String replyTo, Handling handling) {
    send(List.of(receiver), message, replyTo, handling, trace);
  }

  /**
   * Sends one message, encoded once, to several receivers.
   *
   * @param receivers not empty
   * @param along the trace of the message; null if it has none
   */
  public void send(
      List<ActorPath> receivers,
      Object message,
      @Nullable String replyTo,
      Handling handling,
      @Nullable TraceContext along) {
    open();
    Envelope envelope =
        Envelopes.of(UNNUMBERED, receivers.get(0), message, replyTo).with(handling).with(along);
    receivers.forEach(receiver -> send(receiver, envelope));
  }

  private void send(ActorPath receiver, Envelope envelope) {
    if (Envelopes.isLarge(envelope)) {
      large += envelope.bytes();
      if (large > Limits.TURN_BLOB_BYTES) {
        throw CallboardException.tooLarge(
            "with the message to %s, all large ones of one turn".formatted(receiver),
            large,
            Limits.TURN_BLOB_BYTES);
      }
    }
    outgoing.add(new Outgoing(receiver, envelope));
    bytes += envelope.size();
  }

  /** Replaces the message at that index of {@link #outgoing}: its body is in the blob log now. */
  public void written(int index, Envelope envelope) {
    Outgoing unused = outgoing.set(index, new Outgoing(outgoing.get(index).receiver(), envelope));
  }

  /**
   * @throws io.callboard.codecs.CodecException if it cannot be stored
   * @throws IllegalArgumentException for a tag that is none
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE}
   */
  public void event(ActorPath actor, Object event, Set<String> tags) {
    changeable();
    WrittenEvent written = WrittenEvent.of(event, tags);
    FeedMessages.check(actor, written);
    events.add(written);
    bytes += (long) written.bytes() * (1 + tags.size());
  }

  /** Returns whether a message has a body that must be in the blob log before the commit. */
  boolean hasLarge() {
    return large > 0;
  }

  /** Enlists work to be flushed before the turn commits. */
  public void enlist(Object work) {
    changeable();
    enlisted.add(work);
  }

  public List<Object> enlisted() {
    return enlisted;
  }

  /** Allows that the actor goes on while this turn commits. */
  public void goOn() {
    open();
    goesOn = true;
  }

  /**
   * Returns whether the next messages may be handled while the turn commits: it says so, or changes
   * nothing durable.
   */
  boolean goesOn() {
    return enlisted.isEmpty() && (goesOn || changesNothing());
  }

  /** Deletes the actor: after this turn nothing of it is left but its mail. */
  public void delete() {
    open();
    deletes = true;
  }

  /** Returns whether the turn is the last one of its actor, which begins anew. */
  public boolean deletes() {
    return deletes;
  }

  /** Requests a snapshot after this turn, as the actor's predicate does. */
  public void wishSnapshot() {
    open();
    wishesSnapshot = true;
  }

  public boolean wishesSnapshot() {
    return wishesSnapshot;
  }

  public void state(Object next) {
    changeable();
    state = next;
  }

  public void afterCommit(Runnable effect) {
    open();
    afterCommit.add(effect);
  }

  /** Adds an effect of the toolkit's own that leaves the actor with the commit. */
  public void leaving(Runnable effect) {
    open();
    leaving.add(effect);
  }

  /**
   * Runs the non-durable effects, once, before the turn commits.
   *
   * @return the failure of one, with which the turn fails; null if all succeeded
   */
  public @Nullable Throwable leaveFirst() {
    try {
      leaving.forEach(Runnable::run);
      afterCommit.forEach(Runnable::run);
    } catch (Throwable e) { // also one that no signature names
      return e;
    }
    leaving.clear();
    afterCommit.clear();
    return null;
  }

  public void entry(OutboxEntryChange change) {
    changeable();
    entries.add(change);
    bytes += ENTRY_BYTES + (change.entry() == null ? 0 : change.entry().message().size());
  }

  /** Changes to durable timers and deliveries. */
  public List<OutboxEntryChange> entries() {
    return entries;
  }

  /** Stashes its message, which stays in the mailbox; the turn has no other effect. */
  public void putAside() {
    open();
    aside = true;
  }

  public boolean isAside() {
    return aside;
  }

  /** Unstashes the oldest {@code most} messages, to be handled next. */
  public void release(int most) {
    open();
    released = most > Integer.MAX_VALUE - released ? Integer.MAX_VALUE : released + most;
  }

  public boolean releases() {
    return released > 0;
  }

  /** Returns the maximum number of messages to be unstashed and handled next. */
  public int released() {
    return released;
  }

  /** Returns whether the turn has no effect at all, durable or not. */
  public boolean doesNothing() {
    return changesNothing() && leaving.isEmpty() && afterCommit.isEmpty() && !releases();
  }

  /** Sets whether a query runs, whose changes are refused. */
  public void readOnly(boolean now) {
    readOnly = now;
  }

  /** Ends the turn: later effects of the handler are refused. */
  public void close() {
    closed = true;
  }

  private void changeable() {
    open();
    if (deletes) {
      throw new IllegalStateException(
          "the actor has deleted itself in this turn and cannot store anything more");
    }
  }

  private void open() {
    if (closed) {
      throw new IllegalStateException(
          "the turn has ended: return a future from the handler to keep it open");
    } else if (readOnly) {
      wrote =
          new IllegalStateException(
              "a query only reads: declare a handler that changes or sends something with message(…)");
      throw wrote;
    }
  }

  /** Reports that the actor begins something that is not a part of the turn. */
  public void begins() {
    open();
  }

  /**
   * Returns the failure of a change that a query tried, even if the query caught it; null if there
   * was none.
   */
  public @Nullable IllegalStateException wrote() {
    return wrote;
  }

  public boolean isReadOnly() {
    return readOnly;
  }

  /** Returns whether the turn has no durable effect. */
  public boolean changesNothing() {
    return outgoing.isEmpty()
        && events.isEmpty()
        && state == null
        && entries.isEmpty()
        && enlisted.isEmpty()
        && !deletes;
  }

  /** Returns the bytes of its messages and events. */
  public long bytes() {
    return bytes;
  }

  public Reply reply() {
    return reply;
  }

  public @Nullable TraceContext trace() {
    return trace;
  }

  public List<Outgoing> outgoing() {
    return outgoing;
  }

  public List<WrittenEvent> events() {
    return events;
  }

  public @Nullable Object state() {
    return state;
  }

  public List<Runnable> leaving() {
    return leaving;
  }

  /** Returns the user's effects after the commit, to be run on the actor's context. */
  public List<Runnable> effects() {
    return afterCommit;
  }
}
