package io.callboard.grid.cells;

import io.callboard.codecs.MessageType;
import io.callboard.codecs.Named;
import io.callboard.codecs.RawMessage;
import io.callboard.store.Consumed.Stretch;
import io.callboard.store.MailPlace;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Messages of another cell for one actor of this one, in the order in which they left.
 *
 * @param settled the segment of the mailbox there before which nothing comes any more
 * @param settledIndex the index in that segment
 */
@Named("cell-arrival")
record Arrival(long settled, int settledIndex, List<Item> items) {
  /**
   * One message.
   *
   * @param sequence of its segment in the mailbox of its {@link OutboundRelay}
   * @param index in that segment
   * @param stretch what was consumed there with it
   * @param body JSON, as text: it is to come as it left
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

    /** Whether it says of itself what is consumed with it, and of no other. */
    boolean isSound() {
      boolean ends =
          (stretch.to() == sequence && stretch.toIndex() == index + 1)
              || (stretch.to() == sequence + 1 && stretch.toIndex() == 0);
      boolean begins =
          stretch.from() < sequence || (stretch.from() == sequence && stretch.fromIndex() <= index);
      return begins && ends;
    }

    /** About what it takes as JSON. */
    int size() {
      return body.length() + body.length() / 4 + 200;
    }
  }

  Arrival {
    items = List.copyOf(items);
  }
}
