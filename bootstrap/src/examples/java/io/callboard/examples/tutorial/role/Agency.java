package io.callboard.examples.tutorial.role;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.examples.tutorial.durable.BoxOffice;
import io.callboard.examples.tutorial.durable.Show;
import io.vertx.core.Future;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A ticket agency, of which the cell has one; it books seats by itself. */
public final class Agency extends DurableStateActor<Agency.Command, Agency.Orders> {
  private static final Logger log = LoggerFactory.getLogger(Agency.class);

  /** The messages that the agency understands. */
  public sealed interface Command {
    /** Reminder to order the next seat. */
    record Order() implements Command {}
  }

  /** The state: orders so far. */
  public record Orders(int count) {}

  @Override
  protected Orders initial() {
    return new Orders(0);
  }

  @Override
  protected Future<?> started() {
    startPeriodicTimer("order", Duration.ofMillis(500), new Command.Order());
    return Future.succeededFuture();
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.message(Command.Order.class, order -> order());
  }

  /** The order is counted and sent in one commit: both, or neither. */
  private void order() {
    Orders next = new Orders(state().count() + 1);
    String show = BoxOffice.show(next.count());
    update(next);
    tell(callboard().durableRef(show, Show.Command.class), new Show.Command.Book(1));
    afterCommit(() -> log.info("order {}: {}", next.count(), show));
  }
}
