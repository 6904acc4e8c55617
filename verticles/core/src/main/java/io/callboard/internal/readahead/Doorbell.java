package io.callboard.internal.readahead;

import io.callboard.codecs.Envelope;
import io.callboard.store.StoreException;
import io.callboard.store.StoredMail;
import java.util.List;

/**
 * Notices of new mail for one durable actor, from each rung of the ladder of hints. Not
 * thread-safe.
 */
public final class Doorbell {
  private final ReadAhead mail;
  private final Backlog backlog;
  private boolean open;
  private boolean reading;

  public Doorbell(ReadAhead mail, Backlog backlog) {
    this.mail = mail;
    this.backlog = backlog;
  }

  /** Reports that the actor is about to be loaded: what is notified from now on may be missed. */
  public void loads() {
    mail.loads();
  }

  /** Opens it after the actor was loaded. */
  public void open() {
    open = true;
    reading = false;
  }

  /** Closes it at the end of a life; until the next load nothing is known of the mail. */
  public void close() {
    open = false;
    reading = false;
  }

  /** Reports that the mail is being read, until {@link #read}. */
  public void reading() {
    reading = true;
  }

  /**
   * @param inHand messages of the mailbox that are neither in memory nor read now
   * @throws StoreException as {@link ReadAhead#read}
   */
  public void read(StoredMail read, int inHand) {
    reading = false;
    int before = mail.lanes().size() + inHand;
    int skipped = mail.read(read.segments());
    backlog.counted(read.messages() - skipped + before);
  }

  /**
   * Takes a hint that there may be new mail.
   *
   * @param sequence of its segment; {@link Long#MAX_VALUE} if that is not known
   * @return whether that was not known
   */
  public boolean hint(long sequence) {
    return mail.hint(open ? sequence : Long.MAX_VALUE);
  }

  /** See {@link ReadAhead#expect}. */
  public void expect(long sequence) {
    mail.expect(sequence);
  }

  /** Reports a segment that this node has just put into the mailbox. */
  public void delivered(long sequence, List<Envelope> envelopes) {
    if (open && !reading) {
      backlog.arrived(envelopes.size());
      mail.delivered(sequence, envelopes);
    } else {
      boolean unused = hint(sequence);
    }
  }

  /**
   * Reports a segment that another node says it has put into the mailbox.
   *
   * @return whether it was taken, so that it will not be read
   */
  public boolean pushed(long sequence, List<Envelope> envelopes) {
    if (!open) {
      boolean unused = hint(sequence);
      return false;
    }
    boolean taken = mail.pushed(sequence, envelopes, reading);
    if (taken) {
      backlog.arrived(envelopes.size());
    }
    return taken;
  }

  /**
   * Reports a segment of which the store has notified this node; see {@link ReadAhead#foretold}.
   */
  public boolean foretold(long sequence) {
    if (!open) {
      boolean unused = hint(sequence);
      return false;
    }
    return mail.foretold(sequence);
  }

  /** See {@link ReadAhead#waited}. */
  public boolean waited() {
    return mail.waited();
  }
}
