package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.Stage;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Handlers that never return hold their threads; the rest of the node goes on, and can be ended.
 */
class StuckActorTest {
  private static final Duration STOP = Duration.ofMillis(300);

  /** Limit in seconds for a stop of {@link #STOP}; less than the default stop timeout. */
  private static final long MOST_SECONDS = 8;

  private static final int LOOPS = 2 * Runtime.getRuntime().availableProcessors();

  private Stage stage;
  private volatile CountDownLatch free = new CountDownLatch(1);

  @BeforeEach
  void start() throws Exception {
    stage = new Stage();
  }

  @AfterEach
  void stop() throws Exception {
    free.countDown();
    stage.close();
  }

  record Spin(boolean really) {}

  record Seen(int count) {}

  private void spin(Spin spin) {
    if (spin.really()) {
      stage.sees("spins");
      CountDownLatch until = free;
      while (until.getCount() > 0) {
        Thread.onSpinWait();
      }
    }
  }

  private final class Volatile extends Actor<Spin> {
    @Override
    protected void protocol(Protocol<Spin> on) {
      on.message(
          Spin.class,
          spin -> {
            spin(spin);
            reply(new Seen(1));
          });
    }
  }

  private final class Durable extends DurableStateActor<Spin, Seen> {
    @Override
    protected Seen initial() {
      return new Seen(0);
    }

    @Override
    protected void protocol(Protocol<Spin> on) {
      on.message(
          Spin.class,
          spin -> {
            spin(spin);
            reply(new Seen(1));
          });
    }
  }

  private ActorRef<Spin> spinning(String path, boolean durable) throws Exception {
    ActorOptions options = new ActorOptions().stopTimeout(STOP);
    ActorRef<Spin> actor =
        await(
            durable
                ? stage.callboard.spawn(path, () -> new Durable(), options)
                : stage.callboard.spawn(path, () -> new Volatile(), options));
    await(actor.tell(new Spin(true)));
    stage.expect("spins");
    return actor;
  }

  /** Occupies all threads of the default zone. */
  private List<ActorRef<Spin>> spinning() throws Exception {
    List<ActorRef<Spin>> spinning = new ArrayList<>();
    int threads = ZoneDefaults.zones().get(ZoneDefaults.DEFAULT).max();
    for (int i = 0; i < threads; i++) {
      spinning.add(spinning("/spin/" + i, i % 2 == 1));
    }
    return spinning;
  }

  @Test
  void theStopOfAnActorThatHoldsItsThreadEndsInItsTime() throws Exception {
    for (boolean durable : List.of(false, true)) {
      ActorRef<Spin> stuck = spinning("/stuck/" + durable, durable);
      stage.callboard.stop(stuck.path().toString()).await(MOST_SECONDS, SECONDS);
      assertThat(stage.callboard.admin().running().await())
          .noneMatch(actor -> actor.path().equals(stuck.path()));
    }
  }

  @Test
  void aNodeWhoseThreadsAreAllHeldEnds() throws Exception {
    var unused = spinning();
    stage.callboard.close().await(MOST_SECONDS, SECONDS);
  }

  /** Starts as many actors on event loops as it takes for each loop to have some. */
  private List<ActorRef<Spin>> onLoops() throws Exception {
    List<ActorRef<Spin>> actors = new ArrayList<>();
    for (int i = 0; i < 3 * LOOPS; i++) {
      ActorOptions options = new ActorOptions().stopTimeout(STOP).zone(ZoneDefaults.EVENT_LOOP);
      actors.add(await(stage.callboard.spawn("/loop/" + i, () -> new Volatile(), options)));
    }
    return actors;
  }

  /** Event loops are the toolkit's, too: what is to be done on them is left behind. */
  @Test
  void aNodeWhoseEventLoopsAreHeldSaysWhoHoldsThemAndEndsWithThat() throws Exception {
    for (ActorRef<Spin> actor : onLoops()) {
      actor.tell(new Spin(true)).onFailure(cause -> stage.sees("not told"));
    }
    for (int i = 0; i < LOOPS; i++) {
      stage.expect("spins");
    }
    assertThatThrownBy(() -> await(stage.callboard.close()))
        .isInstanceOf(CallboardException.class)
        .hasMessageContaining("node stage could not close")
        .hasMessageContaining("blocked for 10 s by /loop/");
    assertThatThrownBy(() -> await(stage.callboard.closed()))
        .hasMessageContaining("blocked for 10 s by /loop/");
    free.countDown();
    await(stage.callboard.close());
  }

  @Test
  @Tag("nightly")
  void whicheverEventLoopIsHeldANodeEnds() throws Exception {
    for (int i = 0; i < LOOPS; i++) {
      onLoops().get(i).tell(new Spin(true)).onFailure(cause -> stage.sees("not told"));
      stage.expect("spins");
      Future<Void> closed = stage.callboard.close();
      var unused = await(closed.otherwiseEmpty());
      free.countDown();
      stage.close();
      stage = new Stage();
      free = new CountDownLatch(1);
    }
  }

  @Test
  void theToolkitHasThreadsOfItsOwn() throws Exception {
    var unused = spinning();
    ActorRef<Spin> looks =
        await(
            stage.callboard.spawn(
                "/looks", () -> new Volatile(), new ActorOptions().zone(ZoneDefaults.TOOLKIT)));
    Future<Seen> answer = looks.ask(new Spin(false), Seen.class);
    assertThat(await(answer)).isEqualTo(new Seen(1));
  }
}
