package io.callboard.examples.tutorial.first;

import io.callboard.Actor;
import io.callboard.Protocol;

/** A show whose seats are booked; it exists in memory only. */
public final class Show extends Actor<Show.Command> {
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

  private int booked;

  @Override
  protected void protocol(Protocol<Command> on) {
    on.message(Command.Book.class, this::book);
  }

  private void book(Command.Book book) {
    if (booked + book.seats() > SEATS) {
      reply(new Answer.SoldOut(SEATS - booked));
      return;
    }
    booked += book.seats();
    reply(new Answer.Booked(booked));
  }
}
