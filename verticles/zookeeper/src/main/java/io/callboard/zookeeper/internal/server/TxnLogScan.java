package io.callboard.zookeeper.internal.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.zip.Adler32;
import org.jspecify.annotations.Nullable;

/**
 * Extent to which one file of a transaction log is whole, read without a server; a server may be
 * writing it.
 *
 * <p>After a header of 16 bytes a record is the Adler-32 of the transaction as a long, its length
 * as an int, the transaction, and the byte {@code 'B'}. A length of 0 is space that the server has
 * set aside.
 *
 * @param wholeBytes up to the end of the last record before the first damage
 * @param last the transaction that ends there; 0 if there is none
 * @param lastAt when that was made
 * @param damage what is wrong behind; empty if nothing is, or if only a record that was not written
 *     to its end is there, which is the end for a server, too
 * @param behind whole records behind the damage
 * @param newest the last transaction of those; 0 if there is none
 */
public record TxnLogScan(
    Path file,
    long wholeBytes,
    long last,
    Instant lastAt,
    Optional<String> damage,
    long behind,
    long newest) {
  private static final int HEADER_BYTES = 16;
  private static final int RECORD_HEAD_BYTES = 12;

  /** Session, number in it, transaction, time and type: every transaction begins with them. */
  private static final int TRANSACTION_HEAD_BYTES = 32;

  private static final int LEAST_RECORD_BYTES = RECORD_HEAD_BYTES + TRANSACTION_HEAD_BYTES;

  /** Types of transactions are small, those of sessions negative. */
  private static final int MOST_TYPE = 1_000;

  /** A client's request is 1 MiB at most; the server adds little to it. */
  private static final int MOST_RECORD_BYTES = 4 << 20;

  private static final int WINDOW_BYTES = 16 << 20;

  /** An intact record, with the id and time of its transaction. */
  private record Found(long end, long zxid, long atMs) {}

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read, or was truncated meanwhile
   */
  public static TxnLogScan of(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return new Reading(channel).scan(file);
    }
  }

  /** Returns whether the file holds damage with which a server would not start. */
  public boolean isDamaged() {
    return damage.isPresent();
  }

  private static final class Reading {
    private final FileChannel channel;
    private final long size;
    private ByteBuffer window = ByteBuffer.allocate(0);
    private long windowAt;

    Reading(FileChannel channel) throws IOException {
      this.channel = channel;
      this.size = channel.size();
    }

    TxnLogScan scan(Path file) throws IOException {
      long at = HEADER_BYTES;
      Found last = new Found(Math.min(size, HEADER_BYTES), 0, 0);
      Found next = at < size ? record(at) : null;
      while (next != null) {
        last = next;
        at = next.end();
        next = record(at);
      }
      long behind = 0;
      long newest = 0;
      if (!isEnd(at)) {
        Found later = search(at + 1);
        while (later != null) {
          behind++;
          newest = later.zxid();
          Found follows = record(later.end());
          later = follows == null ? search(later.end() + 1) : follows;
        }
      }
      String damage =
          behind == 0 && !isWrong(at)
              ? null
              : "record at byte %d of %d is damaged".formatted(at, size);
      return new TxnLogScan(
          file,
          last.end(),
          last.zxid(),
          Instant.ofEpochMilli(last.atMs()),
          Optional.ofNullable(damage),
          behind,
          newest);
    }

    /**
     * Returns whether only preallocated space follows, or a record that was never written
     * completely.
     */
    private boolean isEnd(long at) throws IOException {
      if (size - at < RECORD_HEAD_BYTES) {
        return true;
      }
      ByteBuffer head = read(at, RECORD_HEAD_BYTES);
      long sum = head.getLong();
      int length = head.getInt();
      boolean aside = sum == 0 && length == 0;
      boolean torn = length > 0 && length <= MOST_RECORD_BYTES && at + length >= size;
      return aside || torn;
    }

    /**
     * Returns whether a record was written completely there and has changed since. An incomplete
     * one is the end of the log: a server that starts again reads up to it and continues in another
     * file.
     */
    private boolean isWrong(long at) throws IOException {
      if (isEnd(at)) {
        return false;
      }
      int length = read(at, RECORD_HEAD_BYTES).getInt(Long.BYTES);
      long end = at + RECORD_HEAD_BYTES + length + 1;
      return length > 0
          && length <= MOST_RECORD_BYTES
          && end <= size
          && read(end - 1, 1).get() == 'B';
    }

    /** Returns the next intact record from there on, at whatever byte; null if there is none. */
    private @Nullable Found search(long from) throws IOException {
      long at = from;
      while (size - at > LEAST_RECORD_BYTES) {
        ByteBuffer ahead = load(at, WINDOW_BYTES);
        int beginnings = ahead.limit() - LEAST_RECORD_BYTES;
        for (int i = beginning(ahead, 0); i < beginnings; i = beginning(ahead, i + 1)) {
          if (mayBegin(ahead, i)) {
            Found found = record(at + i);
            if (found != null) {
              return found;
            }
          }
        }
        at += beginnings;
      }
      return null;
    }

    /**
     * Returns the next place from there on where a record may begin by its sum, a long below 2³²
     * and not 0; the limit if there is none. It skips what it can: a file has 64 MiB.
     */
    private static int beginning(ByteBuffer ahead, int from) {
      byte[] bytes = ahead.array();
      int end = ahead.limit() - Long.BYTES;
      int at = from;
      while (at <= end) {
        if (bytes[at + 3] != 0) {
          at += Integer.BYTES;
        } else if ((bytes[at] | bytes[at + 1] | bytes[at + 2]) != 0) {
          at++;
        } else {
          int set = at + Integer.BYTES;
          while (set < ahead.limit() && bytes[set] == 0) {
            set++;
          }
          if (set < at + Long.BYTES) {
            return at;
          }
          at = set - Long.BYTES + 1;
        }
      }
      return ahead.limit();
    }

    /**
     * Returns whether a record may begin there, by properties that all records have: a cheap check
     * for every byte of a file, before the bytes are read as a record.
     */
    private static boolean mayBegin(ByteBuffer bytes, int at) {
      long sum = bytes.getLong(at);
      if (sum <= 0 || sum > 0xffff_ffffL) {
        return false;
      }
      int length = bytes.getInt(at + Long.BYTES);
      if (length <= TRANSACTION_HEAD_BYTES || length > MOST_RECORD_BYTES) {
        return false;
      }
      int head = at + RECORD_HEAD_BYTES;
      int type = bytes.getInt(head + 28);
      return bytes.getLong(head + 12) > 0 && Math.abs((long) type) <= MOST_TYPE;
    }

    /** Returns the record that begins there; null if no intact one does. */
    private @Nullable Found record(long at) throws IOException {
      if (size - at <= LEAST_RECORD_BYTES) {
        return null;
      }
      ByteBuffer head = read(at, LEAST_RECORD_BYTES);
      if (!mayBegin(head, 0)) {
        return null;
      }
      int length = head.getInt(Long.BYTES);
      long end = at + RECORD_HEAD_BYTES + length + 1;
      if (end > size || load(end - 1, 1).get(0) != 'B') {
        return null;
      }
      Adler32 adler = new Adler32();
      adler.update(read(at + RECORD_HEAD_BYTES, length));
      return adler.getValue() == head.getLong(0)
          ? new Found(
              end, head.getLong(RECORD_HEAD_BYTES + 12), head.getLong(RECORD_HEAD_BYTES + 20))
          : null;
    }

    private ByteBuffer read(long at, int bytes) throws IOException {
      if (at < windowAt || at + bytes > windowAt + window.limit()) {
        window = load(at, Math.max(bytes, WINDOW_BYTES));
        windowAt = at;
      }
      return window.slice((int) (at - windowAt), bytes);
    }

    /** Returns that many bytes from {@code at} on, or as many as there are. */
    private ByteBuffer load(long at, int bytes) throws IOException {
      ByteBuffer loaded = ByteBuffer.allocate((int) Math.min(bytes, size - at));
      while (loaded.hasRemaining() && channel.read(loaded, at + loaded.position()) >= 0) {
        continue;
      }
      if (loaded.hasRemaining()) {
        throw new IOException("the file was truncated while it was read");
      }
      return loaded.flip();
    }
  }
}
