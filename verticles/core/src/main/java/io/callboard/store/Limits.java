package io.callboard.store;

/**
 * Limits that every store enforces alike, so that data accepted by one store is accepted by the
 * others.
 */
public final class Limits {
  /** Bytes of one encoded message. */
  public static final int MESSAGE_BYTES = 16 << 20;

  /** Bytes of an encoded message above which it goes to the blob log first. */
  public static final int INLINE_BYTES = 32 << 10;

  /** Bytes of all messages of one turn that go to the blob log. */
  public static final int TURN_BLOB_BYTES = 64 << 20;

  /** Bytes of one encoded record, hence of a state. */
  public static final int RECORD_BYTES = 768 << 10;

  /** Bytes of the document of a role. */
  public static final int DOCUMENT_BYTES = 128 << 10;

  /** Bytes that one unit may add to a commit. */
  public static final int UNIT_BYTES = 900 << 10;

  /** Entries of one journal: a listing must fit a packet. */
  public static final int JOURNAL_ENTRIES = 10_000;

  /** Bytes of a snapshot that is written into the record; a larger one goes to the blob log. */
  public static final int INLINE_SNAPSHOT_BYTES = 2 << 10;

  /** Bytes after which a commit takes no further unit. */
  public static final int COMMIT_BYTES = 256 << 10;

  /**
   * Bytes of one whole commit as a store sends it: what a ZooKeeper packet can hold for certain.
   */
  public static final int REQUEST_BYTES = 1_000_000;

  /** Operations after which a commit takes no further unit. */
  public static final int COMMIT_OPERATIONS = 500;

  /** Receivers that one commit of an actor serves; further ones are relayed. */
  public static final int RELAY_RECEIVERS = 200;

  /**
   * Default limit of the messages that wait in one mailbox before senders are refused. Senders that
   * do not know of each other may exceed it by the messages that they have in flight, and by a
   * share of 1/{@value #BLIND_SHARE} each.
   */
  public static final int MAILBOX_MESSAGES = 10_000;

  /** Segments that wait in one mailbox before senders are refused: a listing must fit a packet. */
  public static final int MAILBOX_SEGMENTS = 10_000;

  /**
   * Share of a limit that a sender may use up, at least, without reading the mailbox again: one
   * part of so many.
   */
  public static final int BLIND_SHARE = 64;

  /** Segments that one read returns at most. */
  public static final int READ_SEGMENTS = 256;

  /** Bytes after which a read returns no further segment. */
  public static final int READ_BYTES = 512 << 10;

  /** Stored actors that are listed at a time: 24 MiB of records at most. */
  public static final int PAGE_ACTORS = 32;

  /**
   * Actors that are removed at a time: their operations and paths must fit a request, 322 and some
   * 100 KiB with ZooKeeper.
   */
  public static final int REMOVED_ACTORS = 64;

  /** Upper bound of the page size that a caller may ask for, in stored actors. */
  public static final int PAGE_LIMIT = 1_000;

  /** Bytes of records after which such a page takes no further actor. */
  public static final int PAGE_BYTES = 4 << 20;

  private Limits() {}

  /**
   * Checks a document against the limits.
   *
   * @throws IllegalArgumentException if it is too large
   */
  public static void checkDocument(byte[] document) {
    if (document.length > DOCUMENT_BYTES) {
      throw new IllegalArgumentException(
          "the document of a role has at most %d bytes, not %d"
              .formatted(DOCUMENT_BYTES, document.length));
    }
  }

  /**
   * Checks the number of actors of one request.
   *
   * @throws IllegalArgumentException if there are more than {@code most}
   */
  public static void checkActors(int actors, int most) {
    if (actors > most) {
      throw new IllegalArgumentException(
          "%d actors are too many at a time: give %d at most".formatted(actors, most));
    }
  }

  /**
   * Checks a blob against the limits.
   *
   * @throws IllegalArgumentException if no blob can be made of it
   */
  public static void checkBlob(byte[] body) {
    if (body.length < 1 || body.length > MESSAGE_BYTES) {
      throw new IllegalArgumentException(
          "a blob has 1 to %d bytes, not %d".formatted(MESSAGE_BYTES, body.length));
    }
  }
}
