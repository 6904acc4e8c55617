package io.callboard.examples.tutorial.durable;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A show whose bookings survive every crash. */
public final class Show extends DurableStateActor<Show.Command, Show.Bookings> {
  private static final Logger log = LoggerFactory.getLogger(Show.class);
  private static final int SEATS = 1_000;

  /** The messages that a show understands. */
  public sealed interface Command {
    /** Books seats. Answered with an {@link Answer}. */
    record Book(int seats) implements Command {}
  }

  /** The answers. */
  public sealed interface Answer {
    /** The seats are booked; with the number of all seats that are booked now. */
    record Booked(int total) implements Answer {}

    /** Nothing is booked: fewer seats are free. */
    record SoldOut(int free) implements Answer {}
  }

  /** The state. */
  public record Bookings(int total) {}

  @Override
  protected Bookings initial() {
    return new Bookings(0);
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.message(Command.Book.class, this::book);
  }

  private void book(Command.Book book) {
    int total = state().total() + book.seats();
    if (total > SEATS) {
      reply(new Answer.SoldOut(SEATS - state().total()));
      return;
    }
    update(new Bookings(total));
    reply(new Answer.Booked(total));
    afterCommit(() -> log.info("{}: {} booked", path(), total));
  }
}
