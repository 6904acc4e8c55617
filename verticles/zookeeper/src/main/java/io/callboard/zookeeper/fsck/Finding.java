package io.callboard.zookeeper.fsck;

import java.util.Locale;

/**
 * A znode that {@link Fsck} would not expect, with what is wrong and what mends it.
 *
 * @param path of the znode, or of the first of several
 * @param what is wrong with it
 * @param action what mends it; what an operator should think of if nothing does
 */
public record Finding(String path, Kind kind, String what, String action, Outcome outcome) {

  /** What it is. */
  public enum Kind {
    /** A record whose actor can get no mail. */
    RECORD_WITHOUT_MAILBOX,
    /** A mailbox of an actor that was never made, or is gone. */
    MAILBOX_WITHOUT_RECORD,
    /** Journal entries of an actor that is gone. */
    JOURNAL_WITHOUT_RECORD,
    /** What is stored of the failures of an actor that is gone. */
    FAILURES_WITHOUT_RECORD,
    /** Journal entries that the state of their actor holds already. */
    OLD_JOURNAL,
    /** Bodies of messages that were never sent, or are gone. */
    ORPHANED_BLOB,
    /** The parents of a partition that never had an owner and that holds nothing. */
    EMPTY_PARTITION,
    /** What is left of a node that was not seen for long. */
    FORGOTTEN_NODE,
    /** What nodes must read and cannot; never deleted. */
    DAMAGED,
    /** A name that is not Callboard's; never deleted. */
    UNKNOWN;

    /** For people and programs: {@code old-journal}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** What became of it. */
  public enum Outcome {
    /** It would be mended: this was a dry run. */
    LISTED,
    /** It is for an operator to decide. */
    REPORTED,
    /** It is mended. */
    FIXED,
    /** It changed whenever it was to be mended: run again. */
    BUSY
  }
}
