package io.callboard.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.mailbox.Reply;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Asks end; everything runs in the calling thread. */
class AsksTest {
  private static final ActorPath ACTOR = ActorPath.of("/a/b");

  record Answer(int value) {}

  /** Its timers fire before whoever sets them goes on, as if that thread had paused. */
  @SuppressWarnings("unchecked")
  private static Vertx inHaste() {
    return (Vertx)
        Proxy.newProxyInstance(
            Vertx.class.getClassLoader(),
            new Class<?>[] {Vertx.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "setTimer" -> {
                    ((Handler<Long>) arguments[1]).handle(7L);
                    yield 7L;
                  }
                  case "cancelTimer" -> false;
                  default -> throw new UnsupportedOperationException(method.toString());
                });
  }

  @Test
  void anAskWhoseTimeIsOverBeforeItWasOpenedEnds() throws Exception {
    Vertx vertx = Vertx.vertx();
    Promises promises = new Promises((VertxInternal) vertx);
    Asks asks = new Asks(inHaste(), promises, "boot", (boot, number) -> Reply.NONE, 10);
    Asks.Open<Answer> ask = asks.open(ACTOR, Answer.class, Duration.ofMillis(1));
    assertThatThrownBy(() -> ask.answer().await(10, TimeUnit.SECONDS))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.TIMEOUT));
    assertThat(asks.waiting()).isZero();
    vertx.close().await(10, TimeUnit.SECONDS);
  }
}
