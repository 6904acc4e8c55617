package io.callboard.grid.cells;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Named;
import io.callboard.codecs.RawMessage;
import io.callboard.grid.cells.Arrival.Item;
import io.callboard.store.MailPlace;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Representative in this cell of one actor of another, at {@code /cells/<cell>/<its path>}:
 * messages are sent to the other cell before they are consumed here. The design is in this
 * package's note.
 */
final class OutboundRelay extends DurableStateActor<RawMessage, OutboundRelay.Nothing> {
  /**
   * Maximum size of a message body in bytes; encoded once more as JSON, with its headers, it still
   * fits one message.
   */
  static final int MOST_BYTES = 4 << 20;

  private static final int CHUNK_BYTES = 256 << 10;

  /** Maximum wait of one flush, well within the time limit of a turn. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Callboard there;
  private final String from;
  private final String prefix;
  private final Map<ActorPath, Sending> sendings;

  @Named("cell-departures")
  record Nothing() {}

  /** Message on its way out, with its position in the mailbox. */
  private record Leaving(MailPlace place, RawMessage message) {}

  /** Send with an unknown outcome; the next flush of the same actor waits for it. */
  static final class Sending {
    private volatile boolean abandoned;
    private Future<Void> done = Future.succeededFuture();
  }

  /**
   * Creates the relay of one node.
   *
   * @param from name of this cell
   * @param prefix path prefix of the other cell's representatives
   * @param sendings pending sends of all relays of this node, which outlive an actor's life
   */
  OutboundRelay(Callboard there, String from, String prefix, Map<ActorPath, Sending> sendings) {
    this.there = there;
    this.from = from;
    this.prefix = prefix;
    this.sendings = sendings;
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
    String against = against(message);
    if (against != null) {
      refuse(message, new CallboardException(Code.PAYLOAD_TOO_LARGE, against));
      return;
    }
    enlist(new Leaving(place(), message));
  }

  private @Nullable String against(RawMessage message) {
    String name = message.type().name();
    int bytes = message.body().length;
    if (bytes > MOST_BYTES) {
      return "%s has %d bytes: at most %d can be sent to another cell"
          .formatted(name, bytes, MOST_BYTES);
    } else if (arrivals().length() > ActorPath.MAX_LENGTH) {
      return "the path %s in the other cell has more than %d characters: use shorter paths"
          .formatted(arrivals(), ActorPath.MAX_LENGTH);
    }
    return null;
  }

  /** Returns the path of the inbound relay in the other cell. */
  private String arrivals() {
    return Cells.ARRIVALS + "/" + from + path().toString().substring(prefix.length());
  }

  @Override
  protected Future<?> flush(List<Object> work) {
    List<Leaving> leaving = work.stream().map(Leaving.class::cast).toList();
    Sending before = sendings.get(path());
    Future<Void> sent =
        before == null || before.done.isComplete()
            ? tell(leaving)
            // what the earlier send delivers comes once more, and is dropped there
            : bounded(before).compose(v -> tell(leaving));
    return sent.recover(
        cause ->
            Future.failedFuture(
                StoreException.unavailable(
                    "%s cannot be reached: %s".formatted(arrivals(), cause.getMessage()), cause)));
  }

  private Future<Void> tell(List<Leaving> leaving) {
    Sending sending = new Sending();
    ActorRef<Arrival> to = there.durableRef(arrivals(), Arrival.class);
    for (Arrival chunk : chunks(leaving)) {
      sending.done =
          sending.done.compose(
              v -> sending.abandoned ? Future.failedFuture("given up") : to.tell(chunk));
    }
    ActorPath path = path();
    sendings.put(path, sending);
    sending.done.onSuccess(v -> sendings.remove(path, sending));
    return bounded(sending);
  }

  /**
   * Waits for a send for a limited time, then abandons it; so at most one send of an actor stays
   * under way.
   */
  private static Future<Void> bounded(Sending sending) {
    Promise<Void> done = Promise.promise();
    sending.done.onComplete(done::tryComplete, done::tryFail);
    return done.future()
        .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .onFailure(cause -> sending.abandoned = true);
  }

  private static List<Arrival> chunks(List<Leaving> leaving) {
    List<Arrival> chunks = new ArrayList<>();
    List<Item> chunk = new ArrayList<>();
    MailPlace last = leaving.get(leaving.size() - 1).place(); // it has seen most
    int size = 0;
    for (Leaving each : leaving) {
      Item item = Item.of(each.place(), each.message());
      if (!chunk.isEmpty() && size + item.size() > CHUNK_BYTES) {
        chunks.add(new Arrival(last.settled(), last.settledIndex(), chunk));
        chunk.clear();
        size = 0;
      }
      chunk.add(item);
      size += item.size();
    }
    chunks.add(new Arrival(last.settled(), last.settledIndex(), chunk));
    return chunks;
  }
}
