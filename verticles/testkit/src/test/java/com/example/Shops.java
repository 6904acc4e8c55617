package com.example;

import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.supervision.FailureZone;
import io.vertx.core.Future;

/** Actors of an application of one's own, outside of the packages of Callboard. */
public final class Shops {
  private Shops() {}

  /** Supervises what is below a path, as a program does. */
  public static Future<Void> supervise(Callboard callboard, String path) {
    return callboard.supervise(path, new FailureZone());
  }

  /** Message to a shop. */
  public record Sell(int number) {}

  /** State of a shop. */
  public record Sold(int number) {}

  /** A shop. */
  public static class Shop extends DurableStateActor<Sell, Sold> {
    @Override
    protected Sold initial() {
      return new Sold(0);
    }

    @Override
    protected void protocol(Protocol<Sell> on) {
      on.message(Sell.class, sell -> update(new Sold(state().number() + sell.number())));
    }
  }

  /** Another shop. */
  public static final class Bazaar extends Shop {}
}
