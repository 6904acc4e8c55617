package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.DownActors;
import io.callboard.admin.MailSurvey;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test that the counts that are kept as actors change are those of a look at each of them. */
class ActorCensusTest {
  private static final long SEED = Long.getLong("census.seed", 11);
  private static final int ACTORS = 60;
  private static final int STEPS = 400;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  sealed interface Cue {
    record Fail(String why) implements Cue {}

    record Wait() implements Cue {}
  }

  record Nothing() {}

  private final Promise<Void> over = Promise.promise();

  private final class Player extends Actor<Cue> {
    @Override
    protected void protocol(Protocol<Cue> on) {
      on.message(
              Cue.Fail.class,
              fail -> {
                throw new IllegalStateException(fail.why());
              })
          .async(Cue.Wait.class, wait -> over.future());
    }
  }

  private static final class Keeper extends DurableStateActor<Cue, Nothing> {
    @Override
    protected Nothing initial() {
      return new Nothing();
    }

    @Override
    protected void protocol(Protocol<Cue> on) {
      on.message(
              Cue.Fail.class,
              fail -> {
                throw new IllegalStateException(fail.why());
              })
          .async(Cue.Wait.class, wait -> Future.succeededFuture());
    }
  }

  @Test
  void countsAreThoseOfALookAtEachActor() {
    Callboard callboard = nodes.open("census");
    await(
        callboard.supervise(
            "/zone",
            new FailureZone().intensity(3, Duration.ofMinutes(1)).whenOver(LimitAction.PARK)));
    SplittableRandom random = new SplittableRandom(SEED);
    Map<String, ActorRef<Cue>> here = new TreeMap<>();
    for (int step = 0; step < STEPS; step++) {
      String path = path(random.nextInt(ACTORS));
      ActorRef<Cue> ref = here.get(path);
      switch (ref == null ? 0 : random.nextInt(6)) {
        case 0 -> {
          if (ref == null) {
            here.put(path, spawn(callboard, path));
          }
        }
        case 1, 2 -> {
          Future<Void> unused = ref.tell(new Cue.Fail("step " + step));
        }
        case 3 -> {
          await(callboard.stop(path));
          here.remove(path);
        }
        case 4 -> {
          Future<Void> unused = callboard.admin().suspend(path);
        }
        default -> {
          Future<Void> unused = callboard.admin().resume(path);
        }
      }
    }
    Eventually.assertThat(() -> assertCounted(callboard));
    assertThat(callboard.admin().actorCounts().toolkit()).isNotEmpty();
    here.keySet().forEach(path -> await(callboard.stop(path)));
    Eventually.assertThat(
        () -> assertThat(callboard.admin().actorCounts().application()).isEmpty());
    assertThat(callboard.admin().down(10).count()).isZero();
    assertThat(callboard.admin().failing(10)).isEmpty();
  }

  private ActorRef<Cue> spawn(Callboard callboard, String path) {
    SupervisionOptions soon =
        new SupervisionOptions()
            .backoff(
                Backoff.exponential(
                    Duration.ofMillis(2), Duration.ofMillis(50), Backoff.Jitter.FULL));
    ActorOptions options =
        new ActorOptions()
            .supervision(soon)
            .zone(path.contains("own") ? ZoneDefaults.TOOLKIT : ZoneDefaults.DEFAULT);
    if (path.contains("kept")) {
      return await(callboard.spawn(path, Keeper::new, options));
    }
    Future<ActorRef<Cue>> spawned = callboard.spawn(path, Player::new, options);
    return path.contains("zone") // which may rest, so that nothing starts in it
        ? callboard.ref(path, Cue.class)
        : await(spawned);
  }

  private static String path(int number) {
    return switch (number % 4) {
      case 0 -> "/zone/a" + number;
      case 1 -> "/kept/a" + number;
      case 2 -> "/own/a" + number;
      default -> "/a" + number;
    };
  }

  private static void assertCounted(Callboard callboard) {
    List<ActorStatus> all = await(callboard.admin().running());
    assertThat(callboard.admin().actorCounts().application()).isEqualTo(counted(all, false));
    assertThat(callboard.admin().actorCounts().toolkit()).isEqualTo(counted(all, true));
    DownActors down = callboard.admin().down(ACTORS);
    assertThat(down.worst())
        .extracting(ActorStatus::path)
        .containsExactlyInAnyOrderElementsOf(
            all.stream().filter(ActorCensusTest::isDown).map(ActorStatus::path).toList());
    assertThat(down.count()).isEqualTo(down.worst().size());
    assertThat(callboard.admin().failing(ACTORS))
        .extracting(ActorStatus::path)
        .containsExactlyInAnyOrderElementsOf(
            all.stream().filter(actor -> actor.failing() != null).map(ActorStatus::path).toList());
    assertThat(down.dependants())
        .isEqualTo(
            all.stream()
                .filter(actor -> isDown(actor) && actor.needs() != null)
                .collect(Collectors.groupingBy(ActorStatus::needs, Collectors.counting())));
  }

  private static boolean isDown(ActorStatus actor) {
    return actor.state().needsResume() || actor.state() == State.WAITS;
  }

  private static Map<State, Long> counted(List<ActorStatus> all, boolean toolkit) {
    return all.stream()
        .filter(actor -> actor.zone().equals(ZoneDefaults.TOOLKIT) == toolkit)
        .collect(Collectors.groupingBy(ActorStatus::state, Collectors.counting()));
  }

  @Test
  void theWorstComeFirstAndTheOthersAreCounted() {
    Callboard callboard = nodes.open("worst");
    SupervisionOptions never =
        new SupervisionOptions()
            .backoff(
                Backoff.exponential(
                    Duration.ofMinutes(5), Duration.ofMinutes(5), Backoff.Jitter.NONE));
    for (int i = 0; i < 5; i++) {
      ActorRef<Cue> ref =
          await(callboard.spawn("/w" + i, Player::new, new ActorOptions().supervision(never)));
      Future<Void> unused = ref.tell(new Cue.Fail("w" + i));
    }
    await(callboard.spawn("/s", Player::new));
    await(callboard.admin().suspend("/s"));
    Eventually.assertThat(() -> assertThat(callboard.admin().down(3).count()).isEqualTo(6));
    assertThat(callboard.admin().down(3).worst())
        .hasSize(3)
        .extracting(ActorStatus::state)
        .containsOnly(State.WAITS);
    assertThat(callboard.admin().down(9).worst().get(5).state()).isEqualTo(State.STOPPED);
    assertThat(callboard.admin().running(ActorPath.of("/s"))).isPresent();
    assertThat(callboard.admin().running(ActorPath.of("/none"))).isEmpty();
  }

  @Test
  void theMailOfAllIsSummedUpAndTheFullestAreNamed() {
    Callboard callboard = nodes.open("mail");
    List<ActorRef<Cue>> refs = new ArrayList<>();
    for (int i = 0; i < MailSurvey.FULLEST + 5; i++) {
      refs.add(await(callboard.spawn("/m" + i, Player::new)));
    }
    long sum = 0;
    for (int i = 0; i < refs.size(); i++) {
      for (int n = 0; n <= i; n++) { // the first is being handled
        Future<Void> unused = refs.get(i).tell(new Cue.Wait());
      }
      sum += i;
    }
    long expected = sum;
    Eventually.assertThat(
        () -> {
          MailSurvey mail = await(callboard.admin().mail());
          assertThat(mail.queued()).isEqualTo(expected);
          assertThat(mail.fullest()).hasSize(MailSurvey.FULLEST);
          assertThat(mail.fullest().get(0).queued()).isEqualTo(refs.size() - 1);
          assertThat(mail.fullest().get(0).path())
              .isEqualTo(ActorPath.of("/m" + (refs.size() - 1)));
        });
    over.complete();
    Eventually.assertThat(() -> assertThat(await(callboard.admin().mail()).queued()).isZero());
  }
}
