package io.callboard.audit;

/**
 * Violation of a rule by a transaction.
 *
 * @param rule the rule
 * @param zxid zxid of the transaction
 * @param what description, for people
 */
public record Violation(Rule rule, long zxid, String what) {
  /** Rule that holds for every transaction of a cell. */
  public enum Rule {
    /** The log is contiguous: it has no gap. */
    WHOLE,
    /** The versions of znodes are those that the log implies. */
    VERSION,
    /**
     * Durable state of actors is changed only by multis that write the commit number of one node.
     */
    COMMITTER,
    /** Multis of that kind check the incarnation of that node. */
    INCARNATION,
    /** Multis of that kind come from the session that wrote the incarnation last. */
    SESSION,
    /** Multis of that kind check the lease of each partition that they change. */
    LEASE,
    /** The lease is that node's, of this boot, and the record names its epoch. */
    OWNER,
    /** Epochs of a partition rise by one with each claim, which checks the incarnation. */
    EPOCH,
    /** Commit numbers and incarnations of a node rise by one. */
    NUMBER,
    /** Turns of an actor rise by one with each write of its record that is no relay. */
    TURN,
    /** Mail is consumed in order, and deleted exactly when it is consumed. */
    CURSOR,
    /** Messages that an actor's record counts as sent are stored with that record. */
    SENT,
    /** Segments of a mailbox are numbered without a gap. */
    GAP,
    /** Messages are stored once. */
    UNIQUE,
    /** Messages of one sender to one receiver are stored in order. */
    ORDER,
    /** Parked messages were waiting, and are consumed with the parking. */
    PARKED,
    /**
     * Blobs are complete when a message names them, are written to by that transaction, and are
     * deleted with the message.
     */
    BLOB,
    /**
     * Messages that leave an outbox are stored in a mailbox by the same transaction; an outbox
     * holds only its actor's own.
     */
    OUTBOX,
    /** Journal entries are written with the record of their turn. */
    JOURNAL
  }

  @Override
  public String toString() {
    return "%s broken by 0x%x: %s".formatted(rule, zxid, what);
  }
}
