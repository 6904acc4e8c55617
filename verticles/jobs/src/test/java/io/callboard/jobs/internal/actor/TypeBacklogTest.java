package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.BacklogAnswer;
import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.BacklogLane;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.testkit.actor.Effect;
import io.callboard.testkit.actor.Effects;
import io.callboard.testkit.actor.TestedActor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Test of a backlog, message by message. */
class TypeBacklogTest {
  private final TestedActor<BacklogCommand> backlog =
      TestedActor.<BacklogCommand>of(TypeBacklog::new)
          .path(TypeBacklog.path("etl"))
          .once() // when a run is due is found by a timer
          .start();

  private Effects keeps(
      String job, int priority, long number, @Nullable Instant due, @Nullable Instant expires) {
    return backlog.tell(
        new BacklogCommand.Keep(
            job,
            new WaitingRun(
                1, "etl", priority, Instant.EPOCH, due, expires, number, Map.of(), Map.of())));
  }

  private GateCommand.Returned pulls(int priority, int most) {
    List<Object> sent =
        backlog.tell(new BacklogCommand.Pull(priority, most, null, null)).sentTo(Gate.PATH);
    assertThat(sent).hasSize(1);
    return (GateCommand.Returned) sent.get(0);
  }

  @Test
  void theFirstOfAPriorityAreReturnedAndGone() {
    keeps("c", 5, 3, null, null);
    keeps("a", 5, 1, null, null);
    keeps("b", 5, 2, null, null);
    keeps("other", 9, 4, null, null);

    GateCommand.Returned first = pulls(5, 2);
    assertThat(first.type()).isEqualTo("etl");
    assertThat(first.runs()).containsOnlyKeys("a", "b");
    assertThat(first.stock().due().get(5)).isEqualTo(1);
    assertThat(first.stock().due().get(9)).isEqualTo(1);
    assertThat(first.stock().seen().get(5)).isEqualTo(3);
    assertThat(pulls(5, 2).runs()).containsOnlyKeys("c");
    assertThat(pulls(5, 2).runs()).isEmpty();
  }

  /** An older gate names no lanes: the test above. */
  @Test
  void runsOfALaneThatIsLeftOutStayAndAreCounted() {
    for (int i = 1; i <= 3; i++) {
      Map<String, String> acme = Map.of("customer", "acme");
      var unused =
          backlog.tell(
              new BacklogCommand.Keep(
                  "acme" + i,
                  new WaitingRun(1, "etl", 5, Instant.EPOCH, null, null, i, acme, Map.of())));
    }
    keeps("plain", 5, 4, null, null);
    List<String> limits = List.of("customer=acme");

    GateCommand.Returned past = pulls(new BacklogLane(5, limits, 0), null);
    assertThat(past.runs()).containsOnlyKeys("plain");
    assertThat(past.left()).containsExactly(new BacklogLane(5, limits, 3));
    assertThat(past.stock().due().get(5)).isEqualTo(3);
    GateCommand.Returned only = pulls(new BacklogLane(5, limits, 2), true);
    assertThat(only.runs()).containsOnlyKeys("acme1", "acme2");
    assertThat(only.left()).containsExactly(new BacklogLane(5, limits, 1));
    assertThat(pulls(new BacklogLane(5, limits, 2), null).left()).isNull();
  }

  private GateCommand.Returned pulls(BacklogLane lane, @Nullable Boolean only) {
    return (GateCommand.Returned)
        backlog.tell(new BacklogCommand.Pull(5, 10, List.of(lane), only)).sentTo(Gate.PATH).get(0);
  }

  @Test
  void aRunIsFoundUntilItIsPulled() {
    keeps("a", 5, 1, null, null);
    keeps("later", 5, 2, Instant.now().plus(Duration.ofDays(1)), null);

    assertThat(find("a").waiting()).isNotNull();
    assertThat(find("later")).extracting(BacklogAnswer.Found::size).isEqualTo(2);
    assertThat(pulls(5, 2).runs()).containsOnlyKeys("a");
    assertThat(find("a").waiting()).isNull();
  }

  private BacklogAnswer.Found find(String job) {
    return backlog.tell(new BacklogCommand.Find(job)).answer(BacklogAnswer.Found.class);
  }

  @Test
  void aJobIsReportedWhenItIsDue() {
    keeps("later", 0, 1, Instant.now().plus(Duration.ofDays(1)), null);
    keeps("soon", 0, 2, Instant.EPOCH, null);
    Effects ticked = backlog.tell(new BacklogCommand.Tick());
    assertThat(ticked.sentTo(Gate.PATH))
        .singleElement()
        .isInstanceOfSatisfying(
            GateCommand.Stock.class, stock -> assertThat(stock.stock().due().get(0)).isEqualTo(1));
    assertThat(pulls(0, 10).runs()).containsOnlyKeys("soon");
  }

  @Test
  void aJobThatComesDueIsReportedThoughNoMessageComesAnyMore() {
    Effects kept = keeps("later", 0, 1, Instant.now().plus(Duration.ofMinutes(5)), null);
    assertThat(kept.of(Effect.DurableTimerStarted.class)).hasSize(1);
    assertThat(keeps("last", 0, 2, Instant.now().plus(Duration.ofDays(1)), null).list())
        .as("the same time again")
        .noneMatch(Effect.DurableTimerStarted.class::isInstance);
    assertThat(keeps("first", 0, 3, Instant.EPOCH.plus(Duration.ofMinutes(2)), null).list())
        .anyMatch(Effect.DurableTimerStarted.class::isInstance);
  }

  @Test
  void aJobThatHasWaitedTooLongIsNotified() {
    Effects kept = keeps("old", 0, 1, null, Instant.EPOCH.minusSeconds(1));
    assertThat(kept.sentTo(JobActor.path("old"))).isEmpty();
    Effects ticked = backlog.tell(new BacklogCommand.Tick());
    assertThat(ticked.sentTo(JobActor.path("old")))
        .singleElement()
        .isInstanceOf(JobCommand.Expired.class);
    assertThat(pulls(0, 10).runs()).isEmpty();
  }

  @Test
  void aWithdrawnJobIsGoneAndOneThatIsNotThereIsWithdrawnFromTheGate() {
    keeps("job", 0, 1, null, null);
    assertThat(backlog.tell(new BacklogCommand.Withdraw("job", 1L)).sentTo(Gate.PATH)).isEmpty();
    assertThat(pulls(0, 10).runs()).isEmpty();
    assertThat(backlog.tell(new BacklogCommand.Withdraw("job", 1L)).sentTo(Gate.PATH))
        .containsExactly(new GateCommand.NotKept("job", 1L));
  }
}
