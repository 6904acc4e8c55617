package io.callboard.bench;

import io.callboard.bench.Asking.Answer;
import io.callboard.bench.Asking.Question;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;

/** Peer: requests over the event bus to a consumer that replies; objects pass as they are. */
final class BusAsking {
  private static final String ECHO = "bench.echo";

  private final Vertx vertx;
  private final EventBus bus;
  private final DeliveryOptions options;
  private final Stand echo;

  BusAsking(Vertx vertx) throws Exception {
    this.vertx = vertx;
    this.bus = vertx.eventBus();
    this.options = AsItIs.on(bus).setSendTimeout(Asking.TIMEOUT.toMillis());
    this.echo = Stand.next(vertx);
    Promise<Void> registered = Promise.promise();
    echo.context().runOnContext(v -> register(registered));
    Node.await(registered.future());
  }

  private void register(Promise<Void> registered) {
    bus.<Question>localConsumer(
            ECHO, question -> question.reply(new Answer(question.body().number()), options))
        .completion()
        .onComplete(registered);
  }

  /**
   * @param sameLoop whether the asker is on the event loop of the consumer, or on another
   */
  Load byPlainCode(int underWay, boolean sameLoop) throws Exception {
    Context context = Stand.of(vertx, echo.loop(), sameLoop).context();
    return new Asking(underWay) {
      @Override
      void begin(int asks) {
        context.runOnContext(v -> next(asks));
      }

      @Override
      void ask(long question) {
        bus.<Answer>request(ECHO, new Question(question), options)
            .onComplete(reply -> answered(question, reply.body().number()), this::failed);
      }
    };
  }
}
