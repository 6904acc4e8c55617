package io.callboard.audit;

/**
 * A rule that a transaction broke.
 *
 * @param zxid of the transaction
 * @param what is wrong with it
 */
public record Violation(Rule rule, long zxid, String what) {
  /** What must hold for every transaction of a cell. */
  public enum Rule {
    /** The log has no gap. */
    WHOLE,
    /** The versions of znodes are those that the log implies. */
    VERSION,
    /** What is durable of actors is changed by multis that write the commit number of one node. */
    COMMITTER,
    /** Such a multi checks the incarnation of that node. */
    INCARNATION,
    /** It comes from the session that wrote the incarnation last. */
    SESSION,
    /** It checks the lease of each partition that it changes. */
    LEASE,
    /** The lease is that node's, of this boot, and the record names its epoch. */
    OWNER,
    /** Each claim of a partition has the next epoch, and checks the incarnation. */
    EPOCH,
    /** The commit numbers and incarnations of a node rise by one. */
    NUMBER,
    /** The turns of an actor rise by one with each write of its record that is no relay. */
    TURN,
    /** An actor consumes its mail in order; what it has consumed goes with it, and only that. */
    CURSOR,
    /** An actor sends the messages that its record counts, with that record. */
    SENT,
    /** The segments of a mailbox are numbered without a gap. */
    GAP,
    /** A message is stored once. */
    UNIQUE,
    /** The messages of one sender to one receiver are stored in their order. */
    ORDER,
    /** A parked message was waiting, and is consumed with the parking. */
    PARKED,
    /**
     * A blob is whole when a message names it, is written to by that, and goes with the message.
     */
    BLOB,
    /** What leaves an outbox is put into a mailbox by that; an outbox holds its actor's own. */
    OUTBOX,
    /** A journal entry is written with the record of its turn. */
    JOURNAL
  }

  @Override
  public String toString() {
    return "%s broken by 0x%x: %s".formatted(rule, zxid, what);
  }
}
