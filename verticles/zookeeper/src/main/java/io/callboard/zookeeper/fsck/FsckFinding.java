package io.callboard.zookeeper.fsck;

import java.util.Locale;

/**
 * A znode that {@link Fsck} would not expect, with what is wrong and what mends it.
 *
 * @param path of the znode, or of the first of several
 * @param what is wrong with it
 * @param action what mends it; what an operator should think of if nothing does
 */
public record FsckFinding(String path, Kind kind, String what, String action, Outcome outcome) {

  /** Kind of the anomaly. */
  public enum Kind {
    /** A record whose actor can receive no messages. */
    RECORD_WITHOUT_MAILBOX,
    /** A mailbox of an actor that has no record. */
    MAILBOX_WITHOUT_RECORD,
    /** Journal entries of an actor that was removed. */
    JOURNAL_WITHOUT_RECORD,
    /** The failure history of an actor that was removed. */
    FAILURES_WITHOUT_RECORD,
    /** Journal entries that the state of their actor already includes. */
    OLD_JOURNAL,
    /** Bodies of messages that were never sent, or were consumed. */
    ORPHANED_BLOB,
    /** The parents of a partition that never had an owner and that holds nothing. */
    EMPTY_PARTITION,
    /** Znodes of a node that was not seen for a long time. */
    FORGOTTEN_NODE,
    /** A znode that nodes must read and cannot; never deleted. */
    DAMAGED,
    /** A name that is not Callboard's; never deleted. */
    UNKNOWN;

    /** Returns the label of the anomaly for people and programs, such as {@code old-journal}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Outcome of an examination. */
  public enum Outcome {
    /** Finding that can be repaired: this was a dry run. */
    LISTED,
    /** An operator must decide what to do. */
    REPORTED,
    /** Finding that was repaired. */
    FIXED,
    /** Finding that changed during each attempt to repair it: run again. */
    BUSY
  }
}
