package io.callboard.grid.cells;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.Named;
import io.callboard.codecs.RawMessage;
import io.callboard.grid.cells.Arrival.Item;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Stands in this cell for one actor of another, {@code /cells/<cell>/<its path>}: what it is told
 * goes there before it is consumed here. The design is in this package's note.
 */
final class Departures extends DurableStateActor<RawMessage, Departures.Nothing> {
  /** As JSON in JSON, with what goes along, it still is a message. */
  static final int MOST_BYTES = 8 << 20;

  private static final int CHUNK_BYTES = 256 << 10;

  private final Callboard there;
  private final String from;
  private final String prefix;

  @Named("cell-departures")
  record Nothing() {}

  /**
   * @param from the name of this cell
   * @param prefix of the paths of those who stand for the actors there
   */
  Departures(Callboard there, String from, String prefix) {
    this.there = there;
    this.from = from;
    this.prefix = prefix;
  }

  @Override
  protected Nothing initial() {
    return new Nothing();
  }

  @Override
  protected void protocol(Protocol<RawMessage> on) {
    on.message(RawMessage.class, this::depart);
  }

  private void depart(RawMessage message) {
    if (message.body().length > MOST_BYTES) {
      refuse(
          message,
          new CallboardException(
              Code.PAYLOAD_TOO_LARGE,
              "%s has %d bytes: at most %d cross to another cell"
                  .formatted(message.type().name(), message.body().length, MOST_BYTES)));
      return;
    }
    enlist(Item.of(place(), message));
  }

  @Override
  protected Future<?> flush(List<Object> work) {
    String target = path().toString().substring(prefix.length());
    ActorRef<Arrival> arrivals =
        there.durableRef(Cells.ARRIVALS + "/" + from + target, Arrival.class);
    Future<Void> done = Future.succeededFuture();
    for (Arrival chunk : chunks(work)) {
      done = done.compose(v -> arrivals.tell(chunk));
    }
    return done.recover(
        cause ->
            Future.failedFuture(
                StoreException.unavailable(
                    "%s cannot be reached in its cell: %s".formatted(target, cause.getMessage()),
                    cause)));
  }

  private static List<Arrival> chunks(List<Object> work) {
    List<Arrival> chunks = new ArrayList<>();
    List<Item> chunk = new ArrayList<>();
    int size = 0;
    for (Object each : work) {
      Item item = (Item) each;
      if (!chunk.isEmpty() && size + item.size() > CHUNK_BYTES) {
        chunks.add(new Arrival(chunk));
        chunk.clear();
        size = 0;
      }
      chunk.add(item);
      size += item.size();
    }
    chunks.add(new Arrival(chunk));
    return chunks;
  }
}
