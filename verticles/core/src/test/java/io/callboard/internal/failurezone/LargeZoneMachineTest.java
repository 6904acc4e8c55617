package io.callboard.internal.failurezone;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.internal.failurezone.FailureZoneStep.Ended;
import io.callboard.internal.failurezone.FailureZoneStep.Force;
import io.callboard.internal.failurezone.FailureZoneStep.Needs;
import io.callboard.internal.failurezone.FailureZoneStep.Start;
import io.callboard.internal.failurezone.FailureZoneStep.Stop;
import io.callboard.internal.failurezone.FailureZoneStep.Up;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.Strategy;
import io.callboard.supervision.SupervisionOptions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of a supervisor's decisions about as many children as a failure zone may have. */
class LargeZoneMachineTest {
  private static final int MANY = 100_000;

  /** Of those that wait each is looked at whenever another one stops. */
  private static final int SOME = 2_000;

  private FailureZoneMachine zone;
  private int running;
  private int waiting;
  private boolean ended;

  /** Carries steps out at once, without recursion. */
  private void carry(List<FailureZoneStep> steps) {
    Deque<FailureZoneStep> open = new ArrayDeque<>(steps);
    while (!open.isEmpty()) {
      FailureZoneStep step = open.remove();
      if (step instanceof Start start) {
        running++;
        open.addAll(zone.started(start.child(), 0));
      } else if (step instanceof Stop stop) {
        running--;
        open.addAll(zone.stopped(stop.child(), 0));
      } else if (step instanceof Needs needs) {
        waiting += needs.resting() == null ? -1 : 1;
      } else if (step instanceof Ended) {
        ended = true;
      } else {
        assertThat(step)
            .isInstanceOfAny(
                Up.class, Force.class, FailureZoneStep.Rest.class, FailureZoneStep.Resumed.class);
      }
    }
  }

  private void begin(Strategy strategy, int children) {
    zone =
        new FailureZoneMachine(new FailureZone().strategy(strategy), RandomGenerator.of("Random"));
    for (int i = 0; i < children; i++) {
      carry(zone.add("child " + i, new SupervisionOptions(), 0));
    }
    carry(zone.start(0));
    assertThat(running).isEqualTo(children);
  }

  @ParameterizedTest
  @EnumSource(Strategy.class)
  void manyChildrenStartAndStop(Strategy strategy) {
    begin(strategy, MANY);
    carry(zone.stop(0));
    assertThat(ended).isTrue();
    assertThat(running).isZero();
  }

  @ParameterizedTest
  @EnumSource(value = Strategy.class, names = "ONE_FOR_ONE", mode = EnumSource.Mode.EXCLUDE)
  void manyChildrenWaitForOneThatIsSuspended(Strategy strategy) {
    begin(strategy, SOME);
    carry(zone.suspend("child 0", 0));
    assertThat(running).isZero();
    assertThat(waiting).isEqualTo(SOME - 1);
    carry(zone.resume("child 0", 0));
    assertThat(running).isEqualTo(SOME);
    assertThat(waiting).isZero();
  }
}
