package io.callboard.examples.reference;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.Protocol;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Directive;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.FailureZone.EndsWith;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.Rules;
import io.callboard.supervision.Strategy;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** A tree of failure zones. */
public final class Shop {
  private Shop() {}

  /** The protocol of all actors of the shop. */
  public record Work(String what) {}

  /** Actor that counts its tasks. */
  public static final class Clerk extends Actor<Work> {
    private int done;

    @Override
    protected void protocol(Protocol<Work> on) {
      on.message(Work.class, work -> reply(++done));
    }
  }

  /** Opens it. */
  public static Future<ActorRef<Work>> open(Callboard callboard) {
    FailureZone shop =
        new FailureZone()
            .strategy(Strategy.REST_FOR_ONE)
            .intensity(5, Duration.ofMinutes(1))
            .whenOver(LimitAction.ESCALATE);
    return callboard
        .supervise("/shop", shop)
        .compose(v -> callboard.spawn("/shop/ledger", Clerk::new))
        .compose(ledger -> callboard.spawn("/shop/till", Clerk::new))
        .compose(till -> callboard.supervise("/shop/delivery", delivery()))
        .compose(v -> callboard.spawn("/shop/delivery/van-1", Clerk::new, van()));
  }

  private static FailureZone delivery() {
    return new FailureZone()
        .rules(
            Rules.RESTART
                .on(TimeoutException.class, Directive.RESUME)
                .on(SecurityException.class, Directive.PARK)
                .when(cause -> cause instanceof OutOfMemoryError, Directive.ESCALATE));
  }

  private static ActorOptions van() {
    return new ActorOptions()
        .supervision(
            new SupervisionOptions()
                .kind(ChildKind.PERMANENT)
                .intensity(3, Duration.ofMinutes(5))
                .whenOver(LimitAction.PARK)
                .resetAfter(Duration.ofSeconds(30)));
  }

  /** Starts a stocktaking, which ends when all its counters have stopped themselves. */
  public static Future<Void> stocktaking(Callboard callboard) {
    SupervisionOptions counter = new SupervisionOptions().asSignificant();
    return callboard
        .supervise("/stocktaking", new FailureZone().endsWith(EndsWith.ALL))
        .compose(v -> callboard.spawn("/stocktaking/1", Clerk::new, counts(counter)))
        .compose(first -> callboard.spawn("/stocktaking/2", Clerk::new, counts(counter)))
        .mapEmpty();
  }

  private static ActorOptions counts(SupervisionOptions counter) {
    return new ActorOptions().supervision(counter);
  }

  /** Runs until the node has closed. */
  public static Future<Void> untilClosed(Callboard callboard) {
    return callboard
        .closed()
        .onFailure(cause -> System.err.println("the shop is closed: " + cause.getMessage()));
  }
}
