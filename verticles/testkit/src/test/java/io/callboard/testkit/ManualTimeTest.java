package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.folding;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.supervision.Backoff;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Test that all timers of a node follow the time that the test advances, in order. */
@ExtendWith(CallboardExtension.class)
class ManualTimeTest {
  record Do(String what) {}

  record Did(String what) {}

  private static final Duration HOUR = Duration.ofHours(1);

  /** Actor that does what the test specifies. */
  private static final class Hand extends Actor<Do> {
    private final Consumer<Hand> start;
    private final java.util.function.BiFunction<Hand, Do, Future<?>> work;

    Hand(Consumer<Hand> start, java.util.function.BiFunction<Hand, Do, Future<?>> work) {
      this.start = start;
      this.work = work;
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      on.async(Do.class, message -> work.apply(this, message));
    }

    @Override
    protected Future<?> started() {
      start.accept(this);
      return Future.succeededFuture();
    }

    void timer(String key, Duration delay) {
      startTimer(key, delay, new Do(key));
    }

    void periodic(String key, Duration every) {
      startPeriodicTimer(key, every, new Do(key));
    }

    void idle(Duration limit) {
      receiveTimeout(limit, new Do("idle"));
    }

    void sends(ActorRef<Do> to, Do message) {
      tell(to, message);
    }
  }

  private static final Future<?> DONE = Future.succeededFuture();

  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

  private Future<?> note(Hand hand, Do message) {
    seen.add(message.what());
    return DONE;
  }

  private List<String> seen() {
    List<String> taken = List.copyOf(seen);
    seen.clear();
    return taken;
  }

  @Test
  void timersFireInTheirOrderAndNotBefore(Callboard callboard, ManualTime time) throws Exception {
    await(
        callboard.spawn(
            "/hand",
            () ->
                new Hand(
                    hand -> {
                      hand.timer("late", Duration.ofMinutes(3));
                      hand.timer("early", Duration.ofMinutes(1));
                      hand.periodic("beat", Duration.ofMinutes(2));
                    },
                    this::note)));
    time.advance(Duration.ofSeconds(59));
    assertThat(seen()).isEmpty();
    time.advance(Duration.ofMinutes(4));
    assertThat(seen()).containsExactly("early", "beat", "late", "beat");
    assertThat(time.clock().instant())
        .isEqualTo(ManualTime.BEGIN.plus(Duration.ofSeconds(59 + 4 * 60)));
  }

  @Test
  void timersThatATimerCausesElsewhereArePartOfTheSameAdvance(Callboard callboard, ManualTime time)
      throws Exception {
    ActorRef<Do> second =
        await(
            callboard.spawn(
                "/second",
                () ->
                    new Hand(
                        hand -> {},
                        (hand, message) -> {
                          seen.add("second " + message.what());
                          if (message.what().equals("go")) {
                            hand.timer("its own", Duration.ofMinutes(1));
                          }
                          return DONE;
                        })));
    await(
        callboard.spawn(
            "/first",
            () ->
                new Hand(
                    hand -> {
                      hand.timer("go", Duration.ofMinutes(1));
                      hand.timer("later", Duration.ofMinutes(3));
                    },
                    (hand, message) -> {
                      hand.sends(second, message);
                      return DONE;
                    })));
    time.advance(HOUR);
    assertThat(seen()).containsExactly("second go", "second its own", "second later");
  }

  @Test
  void anIdleActorIsToldSoByManualTime(Callboard callboard, ManualTime time) throws Exception {
    ActorRef<Do> hand =
        await(
            callboard.spawn(
                "/hand", () -> new Hand(each -> each.idle(Duration.ofMinutes(40)), this::note)));
    time.advance(Duration.ofMinutes(39));
    await(hand.tell(new Do("work")));
    time.advance(Duration.ofMinutes(39));
    assertThat(seen()).containsExactly("work");
    time.advance(Duration.ofMinutes(1));
    assertThat(seen()).containsExactly("idle");
  }

  @Test
  void asksAndTurnsEndWithTheirTime(Callboard callboard, ManualTime time) throws Exception {
    ActorOptions options = new ActorOptions().turnTimeout(HOUR);
    ActorRef<Do> hand =
        await(
            callboard.spawn(
                "/hand",
                () -> new Hand(each -> {}, (each, message) -> Promise.promise().future()),
                options));
    Future<Did> slow = hand.ask(new Do("nothing"), Did.class, Duration.ofSeconds(20));
    Future<Did> slower = hand.ask(new Do("nothing"), Did.class, Duration.ofHours(2));
    time.advance(Duration.ofSeconds(19));
    assertThat(slow.isComplete()).isFalse();
    time.advance(Duration.ofSeconds(1).plusMillis(20));
    assertCode(() -> await(slow), Code.TIMEOUT);
    ActorStatus before = await(callboard.admin().running()).get(0);
    assertThat(before.failures()).isZero();
    time.advance(HOUR);
    assertThat(await(callboard.admin().running()).get(0).failures()).isEqualTo(1);
    time.advance(HOUR);
    assertThat(slower.isComplete()).isTrue();
  }

  @Test
  void startsEndWithTheirTime(Callboard callboard, ManualTime time) {
    Future<ActorRef<Do>> start =
        callboard.spawn(
            "/never",
            () ->
                new Actor<Do>() {
                  @Override
                  protected void protocol(Protocol<Do> on) {
                    on.message(Do.class, message -> {});
                  }

                  @Override
                  public Class<Do> messageType() {
                    return Do.class;
                  }

                  @Override
                  protected Future<?> started() {
                    return Promise.promise().future();
                  }
                });
    time.advance(Duration.ofSeconds(29));
    assertThat(start.isComplete()).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertCode(() -> await(start), Code.START_FAILED);
  }

  @Test
  void aBackoffIsWaitedForByThatTime(Callboard callboard, ManualTime time) throws Exception {
    Backoff backoff = Backoff.exponential(HOUR, HOUR);
    AtomicInteger objects = new AtomicInteger();
    ActorRef<Do> hand =
        await(
            callboard.spawn(
                "/hand",
                () ->
                    new Hand(
                        each -> objects.incrementAndGet(),
                        (each, message) -> {
                          throw new IllegalStateException("as told");
                        }),
                new ActorOptions().backoff(backoff)));
    assertThat(objects).hasValue(1);
    await(hand.tell(new Do("fail")));
    time.advance(Duration.ofMinutes(29));
    assertThat(objects).hasValue(1);
    time.advance(Duration.ofMinutes(31));
    assertThat(objects).hasValue(2);
  }

  @Test
  void anIdleActorLeavesMemoryByManualTime(Callboard callboard, ManualTime time) throws Exception {
    await(
        callboard.host(
            "/counters",
            folding(Do.class, new Did(""), (did, message) -> new Did(did.what() + message.what())),
            new ActorOptions().passivateAfter(Duration.ofMinutes(10))));
    ActorRef<Do> counter = callboard.durableRef("/counters/a", Do.class);
    assertThat(await(counter.ask(new Do("x"), Did.class)).what()).isEqualTo("x");
    time.advance(Duration.ofMinutes(9));
    assertThat(await(callboard.admin().running())).hasSize(1);
    time.advance(Duration.ofMinutes(2));
    assertThat(await(callboard.admin().running())).isEmpty();
    assertThat(await(counter.ask(new Do("y"), Did.class)).what()).isEqualTo("xy");
  }

  @Test
  void saysThatNothingIsDue() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      ManualTime time = new ManualTime();
      assertThat(time.untilNext()).isEmpty();
      assertThat(time.advance(HOUR)).isZero();
      Context context = vertx.getOrCreateContext();
      List<Context> ran = Collections.synchronizedList(new ArrayList<>());
      Time.Alarm alarm = time.after(context, Duration.ofMinutes(1), () -> {});
      Time.Alarm other =
          time.after(context, Duration.ofMinutes(2), () -> ran.add(Vertx.currentContext()));
      assertThat(time.untilNext()).contains(Duration.ofMinutes(1));
      alarm.cancel();
      assertThat(time.untilNext()).contains(Duration.ofMinutes(2));
      assertThat(time.advance(HOUR)).isEqualTo(1);
      other.cancel();
      assertThat(ran).containsExactly(context);
      Future<Object> inside =
          vertx.executeBlocking(
              () -> {
                time.advance(HOUR);
                return null;
              });
      assertThatThrownBy(() -> await(inside)).isInstanceOf(IllegalStateException.class);
    } finally {
      await(vertx.close());
    }
  }
}
