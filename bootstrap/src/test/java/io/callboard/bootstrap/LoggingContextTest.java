package io.callboard.bootstrap;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.LoggingContext;
import io.callboard.Protocol;
import io.callboard.testkit.CallboardExtension;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.MDC;

/**
 * Test that with a logging library that has a diagnostic context a handler's log lines name its
 * actor.
 */
@ExtendWith(CallboardExtension.class)
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
  void namesActorAndMessageWhileTheHandlerRuns(Callboard callboard) {
    ActorOptions options = new ActorOptions().intercept(new LoggingContext());
    ActorRef<Look> looker = await(callboard.spawn("/looker", Looker::new, options));
    assertThat(await(looker.ask(new Look(), Seen.class)).context())
        .containsExactly("/looker", "Look");
    assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
  }
}
