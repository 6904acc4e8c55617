package io.callboard.zookeeper.internal.layout;

import io.callboard.codecs.Json;
import io.callboard.store.Formats;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoreException;
import io.callboard.store.WhenFull;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Header of a mailbox, as stored in the mailbox's znode.
 *
 * @param whenFull missing in format 1
 */
public record StoredHeader(int f, String state, int limit, @Nullable String whenFull) {
  private static final int FORMAT = 2;
  private static final String OPEN = "OPEN";
  private static final String FULL = "FULL";
  private static final String SEALED = "SEALED";

  /** Creates the stored form of a header. */
  public StoredHeader {
    Objects.requireNonNull(state, "it lacks its state");
  }

  /**
   * Decodes a header.
   *
   * @param path names the znode in errors
   * @throws StoreException of kind {@code CORRUPT} if this version does not know its format or
   *     policy
   */
  public static StoredHeader decode(String path, byte[] data) {
    String what = "znode " + path;
    StoredHeader stored = Json.read(what, data, StoredHeader.class);
    Formats.check(what, stored.f, FORMAT);
    if (stored.whenFull != null && wish(stored.whenFull).isEmpty()) {
      throw StoreException.corrupt(
          "%s cannot be read: \"%s\" is not a whenFull that this version knows"
              .formatted(what, stored.whenFull));
    }
    return stored;
  }

  /** Encodes a header. */
  public static byte[] encode(MailboxHeader header) {
    return encode(header, header.full() ? FULL : OPEN);
  }

  /** Encodes the header of a generation that accepts no more mail. */
  public static byte[] sealed(MailboxHeader header) {
    return encode(header, SEALED);
  }

  private static byte[] encode(MailboxHeader header, String state) {
    String wish = header.whenFull().label();
    return Json.bytes(new StoredHeader(FORMAT, state, header.limit(), wish));
  }

  /** Returns whether the generation is sealed: senders continue in the next one. */
  public boolean isSealed() {
    return state.equals(SEALED);
  }

  /** Returns the header for senders. */
  public MailboxHeader header() {
    return new MailboxHeader(state.equals(FULL), limit, wish());
  }

  private WhenFull wish() {
    return whenFull == null ? WhenFull.WAIT : wish(whenFull).orElseThrow();
  }

  private static Optional<WhenFull> wish(String name) {
    return Arrays.stream(WhenFull.values())
        .filter(each -> each != WhenFull.DROP_OLDEST && each.label().equals(name))
        .findFirst();
  }
}
