package io.callboard.grid.cells;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.Named;
import io.callboard.codecs.RawMessage;
import io.callboard.grid.cells.Arrival.Item;
import io.callboard.store.Consumed;
import io.callboard.store.Consumed.Stretch;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receiver of the messages of one {@link OutboundRelay} of another cell, at {@code
 * /from/<cell>/<path>}: passes each on once to the actor of that path.
 */
final class InboundRelay extends DurableStateActor<Arrival, InboundRelay.Taken> {
  private static final Logger log = LoggerFactory.getLogger(InboundRelay.class);

  private final String prefix;

  /** Watermark: positions of the mailbox there whose messages have arrived. */
  @Named("cell-arrivals")
  record Taken(long next, int offset, List<Stretch> beyond) {
    static Taken of(Consumed consumed) {
      return new Taken(consumed.next(), consumed.offset(), consumed.beyond());
    }

    Consumed consumed() {
      return new Consumed(next, offset, beyond);
    }
  }

  InboundRelay(String prefix) {
    this.prefix = prefix;
  }

  @Override
  protected Taken initial() {
    return Taken.of(Consumed.NOTHING);
  }

  @Override
  protected void protocol(Protocol<Arrival> on) {
    on.message(Arrival.class, this::arrive);
  }

  private void arrive(Arrival arrival) {
    Consumed taken = state().consumed();
    ActorRef<RawMessage> target =
        callboard().durableRef(path().toString().substring(prefix.length()), RawMessage.class);
    for (Item item : arrival.items()) {
      if (!item.isSound()) {
        throw new IllegalArgumentException(
            "%s has a range of positions that is not its own".formatted(item));
      }
      if (!taken.contains(item.sequence(), item.index())) {
        pass(target, item);
        taken = taken.with(item.stretch());
      }
    }
    // positions that were consumed there without being sent here leave no gap
    update(Taken.of(taken.upTo(arrival.settled(), arrival.settledIndex())));
  }

  private void pass(ActorRef<RawMessage> target, Item item) {
    try {
      tell(target, item.message());
    } catch (CallboardException e) {
      log.error(
          "{} from another cell cannot be passed on to {}: it is lost", item, target.path(), e);
    }
  }
}
