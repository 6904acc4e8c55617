package io.callboard.internal.turn;

import io.callboard.internal.readahead.Backlog;
import io.callboard.internal.readahead.MailboxMessage;
import io.callboard.internal.readahead.ReadAhead;
import io.callboard.store.Consumed;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Consumption of the mailbox of one durable actor by its commits, and the consequences: the order
 * of the rest, and the header for senders. Not thread-safe.
 */
final class Consumption {
  /** Ranges consumed behind waiting messages from which on priorities have to wait. */
  static final int MOST_STRETCHES = 1_000;

  private final ReadAhead mail;
  private final Backlog backlog;
  private final Batch batch;
  private final AtMostOnceWindow ahead;
  private @Nullable MailboxHeader said;

  Consumption(ReadAhead mail, Backlog backlog, Batch batch, AtMostOnceWindow ahead) {
    this.mail = mail;
    this.backlog = backlog;
    this.batch = batch;
    this.ahead = ahead;
  }

  /** Begins after the actor was read. */
  void loaded(Consumed consumed, Loaded loaded) {
    said = null;
    int skipped = mail.load(consumed, loaded.mail().segments());
    backlog.loaded(loaded.header(), Math.max(0, loaded.mail().messages() - skipped));
    limits(consumed);
  }

  /**
   * Returns the mailbox header that the present commit writes; null if it need not change.
   *
   * @param parked the message that it parks; null if it commits turns
   */
  @Nullable MailboxHeader header(@Nullable MailboxMessage parked) {
    said = backlog.after(count(parked));
    return said;
  }

  /** Returns the number of messages of the mailbox that the present commit consumes. */
  int count(@Nullable MailboxMessage parked) {
    return batch.isEmpty() && parked != null ? 1 : batch.consumed() + ahead.coming().size();
  }

  /** Reports that the commit is durable. */
  void committed(@Nullable MailboxMessage parked, Consumed now) {
    mail.half().committed(inputs(parked), now);
    backlog.committed(count(parked), said);
    said = null;
    limits(now);
  }

  private List<MailboxMessage> inputs(@Nullable MailboxMessage parked) {
    List<MailboxMessage> inputs = new ArrayList<>(ahead.coming());
    batch.turns().stream().flatMap(turn -> Stream.ofNullable(turn.input())).forEach(inputs::add);
    if (batch.isEmpty() && parked != null) {
      inputs.add(parked);
    }
    return inputs;
  }

  /** Applies the limits that follow from ranges consumed behind waiting messages. */
  private void limits(Consumed now) {
    mail.lanes().inOrder(now.beyond().size() >= MOST_STRETCHES);
    backlog.consumedInPart(now.beyond().isEmpty() ? 0 : mail.half().messages());
  }
}
