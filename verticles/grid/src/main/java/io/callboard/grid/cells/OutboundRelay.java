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
 * Stands in this cell for one actor of another, {@code /cells/<cell>/<its path>}: what it is told
 * goes there before it is consumed here. The design is in this package's note.
 */
final class OutboundRelay extends DurableStateActor<RawMessage, OutboundRelay.Nothing> {
  /** As JSON in JSON, with what goes along, it still is a message. */
  static final int MOST_BYTES = 4 << 20;

  private static final int CHUNK_BYTES = 256 << 10;

  /** What one flush may wait, well within the time of a turn. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Callboard there;
  private final String from;
  private final String prefix;
  private final Map<ActorPath, Sending> sendings;

  @Named("cell-departures")
  record Nothing() {}

  /** Goes with a message. */
  private record Leaving(MailPlace place, RawMessage message) {}

  /** What is told and not known to be there; the next flush of its actor waits for it. */
  static final class Sending {
    private volatile boolean abandoned;
    private Future<Void> done = Future.succeededFuture();
  }

  /**
   * @param from the name of this cell
   * @param prefix of the paths of those who stand for the actors there
   * @param sendings of all of this node, which outlive an actor's life
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

  /** Where it comes from, over there. */
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
            // what that told comes again, and is dropped there
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

  /** At most one tell of an actor stays under way when nobody waits for it any more. */
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
