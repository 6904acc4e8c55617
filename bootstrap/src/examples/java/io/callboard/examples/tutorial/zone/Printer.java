package io.callboard.examples.tutorial.zone;

import io.callboard.Actor;
import io.callboard.Protocol;

/** A ticket printer, whose paper jams now and then. */
public final class Printer extends Actor<Printer.Print> {
  /** Prints a ticket. Answered with {@link Printed}. */
  public record Print(String ticket) {}

  /** The ticket is printed; with the number of those that this printer object has printed. */
  public record Printed(String ticket, int sinceStart) {}

  private int printed;

  @Override
  protected void protocol(Protocol<Print> on) {
    on.message(Print.class, this::print);
  }

  private void print(Print print) {
    if (print.ticket().equals("jam")) {
      throw new IllegalStateException("the paper is jammed");
    }
    printed++;
    reply(new Printed(print.ticket(), printed));
  }
}
