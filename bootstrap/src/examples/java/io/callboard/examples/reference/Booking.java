package io.callboard.examples.reference;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.callboard.TellOptions;

/** Understands the answers of another actor, which know nothing of its own protocol. */
public final class Booking extends Actor<Booking.Event> {
  /** Event of a booking. */
  public sealed interface Event {
    /** Somebody wants a seat. */
    record Wanted(String train) implements Event {}

    /** Price for the booking. */
    record Quoted(long cents) implements Event {}
  }

  /** Question to the tariff. */
  public record Question(String train) {}

  /** Answer of the tariff. */
  public sealed interface Price {
    /** Known price. */
    record Fixed(long cents) implements Price {}

    /** Unknown price. */
    record Unknown() implements Price {}
  }

  private final ActorRef<Question> tariff;
  private long total;

  /**
   * Creates a booking.
   *
   * @param tariff actor that answers with a {@link Price}
   */
  public Booking(ActorRef<Question> tariff) {
    this.tariff = tariff;
  }

  @Override
  protected void protocol(Protocol<Event> on) {
    on.adapt(Price.class, price -> new Event.Quoted(cents(price)))
        .message(Event.Wanted.class, this::wanted)
        .message(Event.Quoted.class, quoted -> total += quoted.cents());
  }

  private void wanted(Event.Wanted wanted) {
    tell(tariff, new Question(wanted.train()), TellOptions.replyTo(self(Price.class)));
  }

  private static long cents(Price price) {
    return price instanceof Price.Fixed fixed ? fixed.cents() : 0;
  }

  /** Returns the total so far. */
  long total() {
    return total;
  }
}
