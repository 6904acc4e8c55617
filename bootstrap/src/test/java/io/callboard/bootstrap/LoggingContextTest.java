package io.callboard.bootstrap;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.LoggingContext;
import io.callboard.Protocol;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** With a logging library that has a diagnostic context, what a handler logs names its actor. */
class LoggingContextTest {
  record Look() {}

  record Seen(List<String> context) {}

  static final class Looker extends Actor<Look> {
    @Override
    protected void protocol(Protocol<Look> on) {
      on.message(
          Look.class,
          look -> {
            reply(
                new Seen(List.of(MDC.get(LoggingContext.ACTOR), MDC.get(LoggingContext.MESSAGE))));
          });
    }
  }

  @Test
  void namesActorAndMessageWhileTheHandlerRuns() throws Exception {
    Vertx vertx = Vertx.vertx();
    Callboard callboard =
        Callboard.create(vertx, new CallboardOptions().name("logging")).await(10, SECONDS);
    ActorOptions options = new ActorOptions().intercept(new LoggingContext());
    ActorRef<Look> looker = callboard.spawn("/looker", Looker::new, options).await(10, SECONDS);
    assertThat(looker.ask(new Look(), Seen.class).await(10, SECONDS).context())
        .containsExactly("/looker", "Look");
    assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
    callboard.close().await(10, SECONDS);
    vertx.close().await(10, SECONDS);
  }
}
