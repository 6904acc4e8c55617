package io.callboard.grid.cells;

import io.callboard.codecs.MessageType;
import io.callboard.codecs.Named;
import io.callboard.codecs.RawMessage;
import io.callboard.store.Consumed.Stretch;
import io.callboard.store.MailPlace;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Messages from another cell for one actor of this one, in the order in which they left.
 *
 * @param settled segment of the mailbox there before which nothing comes any more
 * @param settledIndex the index in that segment
 */
@Named("cell-arrival")
record Arrival(long settled, int settledIndex, List<Item> items) {
  /**
   * Message at one position of the mailbox there.
   *
   * @param sequence number of its segment in the mailbox of its {@link OutboundRelay}
   * @param index in that segment
   * @param stretch range of positions that was consumed there with it
   * @param body JSON as text, so that it arrives byte for byte as it left
   */
  @Named("cell-arrival-item")
  record Item(long sequence, int index, Stretch stretch, String type, int version, String body) {
    static Item of(MailPlace place, RawMessage message) {
      return new Item(
          place.sequence(),
          place.index(),
          place.stretch(),
          message.type().name(),
          message.type().version(),
          new String(message.body(), StandardCharsets.UTF_8));
    }

    RawMessage message() {
      return new RawMessage(new MessageType(type, version), body.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns whether the range of positions ends with this message and begins no later. */
    boolean isSound() {
      boolean ends =
          (stretch.to() == sequence && stretch.toIndex() == index + 1)
              || (stretch.to() == sequence + 1 && stretch.toIndex() == 0);
      boolean begins =
          stretch.from() < sequence || (stretch.from() == sequence && stretch.fromIndex() <= index);
      return begins && ends;
    }

    /** Returns the approximate size as JSON, in bytes. */
    int size() {
      return body.length() + body.length() / 4 + 200;
    }
  }

  Arrival {
    items = List.copyOf(items);
  }
}
