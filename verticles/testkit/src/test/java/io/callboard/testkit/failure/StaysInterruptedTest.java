package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.InterruptedActors;
import io.callboard.codecs.ActorPath;
import io.callboard.store.StoreException;
import io.callboard.supervision.InterruptionStreak;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Test of which actors of a node stay interrupted, in which order, and of what ends that. */
@ExtendWith(CallboardExtension.class)
class StaysInterruptedTest {
  private static final ActorOptions OPTIONS =
      new ActorOptions().turnTimeout(Duration.ofMinutes(10));

  private final AtomicBoolean refuses = new AtomicBoolean(true);
  private volatile @Nullable Promise<Void> slow;
  private Callboard callboard;
  private ManualTime time;

  record Work(int number) {}

  record Nothing() {}

  /** Actor whose turns need something that may not be available. */
  private final class Worker extends DurableStateActor<Work, Nothing> {
    @Override
    protected Nothing initial() {
      return new Nothing();
    }

    @Override
    protected void protocol(Protocol<Work> on) {
      on.message(Work.class, work -> enlist(work));
    }

    @Override
    protected Future<?> flush(List<Object> work) {
      Promise<Void> now = slow;
      if (now != null) {
        return now.future();
      } else if (refuses.get()) {
        return Future.failedFuture(StoreException.unavailable("not now", null));
      }
      return Future.succeededFuture();
    }
  }

  @BeforeEach
  void start(Callboard given, ManualTime manual) {
    callboard = given;
    time = manual;
  }

  private ActorStatus status(String path) {
    return callboard.admin().running(ActorPath.of(path)).orElseThrow();
  }

  private static InterruptionStreak streak(ActorStatus actor) {
    return Objects.requireNonNull(actor.interrupted(), "its interruptions");
  }

  private void send(String path) {
    Future<Void> unused = callboard.durableRef(path, Work.class).tell(new Work(1));
  }

  /** Begins an actor that is interrupted, for the first time now. */
  private void begin(String path) {
    await(callboard.spawn(path, Worker::new, OPTIONS));
    send(path);
    Eventually.assertThat(() -> assertThat(status(path).interrupted()).isNotNull());
  }

  private void advance(int seconds) {
    time.advance(Duration.ofSeconds(seconds));
  }

  private InterruptedActors interrupted(int most) {
    return callboard.admin().interrupted(most);
  }

  private static List<String> paths(InterruptedActors actors) {
    return actors.longest().stream().map(actor -> actor.path().toString()).toList();
  }

  /** Those that are interrupted are so every 5 s at least. */
  @Test
  void actorsInterruptedForLongestComeFirstAndTheOthersAreCounted() {
    Instant first = time.clock().instant();
    for (String path : List.of("/e", "/d", "/c", "/b", "/a")) {
      begin(path);
      advance(10);
    }
    assertThat(interrupted(9)).isEqualTo(new InterruptedActors(0, List.of()));
    advance(38); // the third one is so for 68 s, the fourth one for 58 s
    InterruptedActors all = interrupted(9);
    assertThat(all.count()).isEqualTo(3);
    assertThat(paths(all)).containsExactly("/e", "/d", "/c");
    assertThat(all.longest().stream().map(actor -> streak(actor).since()))
        .containsExactly(first, first.plusSeconds(10), first.plusSeconds(20));
    assertThat(all.longest()).allMatch(actor -> streak(actor).isLong());
    assertThat(interrupted(2).count()).isEqualTo(3);
    assertThat(paths(interrupted(2))).containsExactly("/e", "/d");
    assertThat(paths(interrupted(1))).containsExactly("/e");

    advance(11); // the fourth one is so for 69 s, the fifth one for 59 s
    assertThat(interrupted(1).count()).as("with one that was looked at before").isEqualTo(4);
    assertThat(paths(interrupted(9))).containsExactly("/e", "/d", "/c", "/b");
  }

  @Test
  void aHandledMessageEndsTheStreakAndTheNextInterruptionBeginsOne() {
    begin("/a");
    advance(70);
    assertThat(paths(interrupted(9))).containsExactly("/a");
    refuses.set(false);
    advance(6);
    Eventually.assertThat(() -> assertThat(status("/a").handled()).isEqualTo(1));
    assertThat(status("/a").interrupted()).isNull();
    assertThat(interrupted(9).count()).isZero();

    refuses.set(true);
    Instant next = time.clock().instant();
    send("/a");
    Eventually.assertThat(
        () ->
            assertThat(status("/a").interrupted())
                .isEqualTo(new InterruptionStreak(next, next, 1)));
    assertThat(interrupted(9).count()).isZero();
  }

  @Test
  void aStoppedActorIsInterruptedNoMore() {
    begin("/a");
    begin("/b");
    advance(70);
    assertThat(paths(interrupted(9))).containsExactly("/a", "/b");
    await(callboard.stop("/a"));
    assertThat(paths(interrupted(9))).containsExactly("/b");
    await(callboard.admin().suspend("/b"));
    advance(1);
    Eventually.assertThat(() -> assertThat(status("/b").state()).isEqualTo(State.STOPPED));
    assertThat(status("/b").interrupted()).isNull();
    assertThat(interrupted(9).count()).isZero();

    Instant resumed = time.clock().instant();
    await(callboard.admin().resume("/b"));
    advance(1);
    Eventually.assertThat(() -> assertThat(status("/b").interrupted()).isNotNull());
    assertThat(streak(status("/b")).since()).isBetween(resumed, time.clock().instant());
    assertThat(interrupted(9).count()).isZero();
  }

  /** It may be at what it is interrupted with; after a minute nobody knows. */
  @Test
  void anActorThatRunsWithMailIsInterruptedForAMinuteMore() {
    begin("/a");
    Promise<Void> flushed = Promise.promise();
    slow = flushed;
    advance(58);
    assertThat(status("/a").state()).isEqualTo(State.RUNNING);
    assertThat(status("/a").interrupted()).isNotNull();
    advance(4);
    assertThat(status("/a").state()).isEqualTo(State.RUNNING);
    assertThat(status("/a").interrupted()).isNull();
    flushed.complete();
    Eventually.assertThat(() -> assertThat(status("/a").handled()).isEqualTo(1));
  }
}
