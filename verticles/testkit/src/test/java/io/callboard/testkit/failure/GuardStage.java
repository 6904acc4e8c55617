package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.callboard.admin.DeadLetter;
import io.callboard.guard.Guard;
import io.callboard.guard.GuardOptions;
import io.callboard.guard.GuardStatus;
import io.callboard.proxy.ProxyActor;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.ManualTime;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A dangerous actor, its guard, and a time that the test moves. */
@ExtendWith(CallboardExtension.class)
abstract class GuardStage {
  static final Duration SECOND = Duration.ofSeconds(1);
  static final Duration LONG = Duration.ofMinutes(10);
  static final Backoff EXACT =
      Backoff.exponential(SECOND, Duration.ofSeconds(8), Backoff.Jitter.NONE);

  record Get(String sku) {}

  record Price(String sku, String by) {}

  /** Actor that does what the test specifies. */
  static final class Client extends ProxyActor<Get> {
    private final BiFunction<Client, Get, @Nullable Future<?>> work;

    Client(BiFunction<Client, Get, @Nullable Future<?>> work) {
      this.work = work;
    }

    @Override
    protected void protocol(Protocol<Get> on) {
      on.async(Get.class, get -> Objects.requireNonNullElse(work.apply(this, get), DONE));
    }

    void answers(Get get) {
      reply(new Price(get.sku(), "client"));
    }

    void answersWhen(Future<?> answer) {
      replyWhen(answer);
    }

    void refuses(Get get) {
      refuse(get, new CallboardException(Code.BAD_MESSAGE, "no such sku"));
    }

    void passesOn(ActorRef<Get> to, Get get) {
      forward(to, get);
    }

    void stops() {
      stopSelf();
    }
  }

  static final Future<?> DONE = Future.succeededFuture();

  final List<String> seen = Collections.synchronizedList(new ArrayList<>());
  final List<DeadLetter> dead = Collections.synchronizedList(new ArrayList<>());
  volatile boolean down;
  Callboard callboard;
  ManualTime time;

  @BeforeEach
  void start(Callboard given, ManualTime manual) {
    callboard = given;
    time = manual;
    Runnable unused = callboard.admin().onDeadLetter(dead::add);
  }

  static GuardOptions<Get> options() {
    return new GuardOptions<Get>().backoff(EXACT).deadline(Duration.ofSeconds(2));
  }

  ActorRef<Get> guard(GuardOptions<Get> options, BiFunction<Client, Get, @Nullable Future<?>> work)
      throws Exception {
    return await(
        callboard.spawn(
            "/prices", Guard.of(() -> new Client(work), options), new ActorOptions().onBus(false)));
  }

  /** Starts a guard whose service answers unless it is down. */
  ActorRef<Get> guard(GuardOptions<Get> options) throws Exception {
    return guard(
        options,
        (client, get) -> {
          seen.add(get.sku());
          if (down) {
            throw new IllegalStateException("500");
          }
          client.answers(get);
          return null;
        });
  }

  void pass(Duration by) {
    time.advance(by);
  }

  GuardStatus status() throws Exception {
    pass(Duration.ZERO);
    return await(callboard.admin().running()).stream()
        .filter(actor -> actor.path().toString().equals("/prices"))
        .map(actor -> (GuardStatus) Objects.requireNonNull(actor.details()))
        .findAny()
        .orElseThrow();
  }

  static Future<Price> ask(ActorRef<Get> guard, String sku) {
    return guard.ask(new Get(sku), Price.class, LONG);
  }

  void tell(ActorRef<Get> guard, String... skus) throws Exception {
    for (String sku : skus) {
      await(guard.tell(new Get(sku)));
    }
    pass(Duration.ZERO);
  }
}
