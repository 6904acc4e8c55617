package io.callboard.pollers.source;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.PlayedSource.Fault;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the contract is red for a source that makes a mistake. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
class SourceContractTest {
  /** Test of the contract. */
  @FunctionalInterface
  private interface Check {
    void run(SourceContract contract) throws Exception;
  }

  private static Arguments red(Fault fault, String by, Check check) {
    return Arguments.of(fault, by, check);
  }

  private static Check killed(KillPoint point) {
    return contract -> contract.losesNothingWhereItIsKilled(point);
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        red(Fault.ACKNOWLEDGES_ON_POLL, "kill", killed(KillPoint.AFTER_POLL)),
        red(Fault.TAKES_AHEAD, "share", SourceContract::takesNoMoreThanItIsAskedFor),
        red(Fault.FORGETS_TO_EXTEND, "lease", SourceContract::keepsWhatIsExtendedAndSaysWhatIsLost),
        red(Fault.HIDES_LOSSES, "lease", SourceContract::keepsWhatIsExtendedAndSaysWhatIsLost),
        red(Fault.SENDS_COMPLETIONS_LATER, "kill", killed(KillPoint.AFTER_COMPLETE)),
        red(Fault.SENDS_COMPLETIONS_LATER, "order", SourceContract::completesInAnyOrderAndTwice),
        red(Fault.LOSES_WHAT_FAILED, "kill", killed(KillPoint.AFTER_FAIL)),
        red(Fault.IGNORES_DELAYS, "delay", SourceContract::aFailedMessageComesBackAfterItsDelay),
        red(Fault.DROPS_THE_DEAD, "cause", SourceContract::setsAsideWithTheCause),
        red(Fault.DROPS_THE_DEAD, "kill", killed(KillPoint.AFTER_DEAD)),
        red(Fault.DEAD_COMES_BACK, "cause", SourceContract::setsAsideWithTheCause),
        red(Fault.RELEASES_AFTER_THE_LEASE, "release", SourceContract::releaseGivesBackAtOnce),
        red(Fault.NEW_ID_EACH_TIME, "kill", killed(KillPoint.AFTER_POLL)),
        red(Fault.BODIES_AS_TEXT, "bodies", SourceContract::carriesBodiesAsTheyAre),
        red(Fault.TAKES_ANY_SIZE, "large", SourceContract::takesABacklogOfLargeMessagesInParts),
        red(
            Fault.ONE_UNREADABLE_FAILS_ALL,
            "unreadable",
            SourceContract::setsAsideByItselfWhatCannotBeRead),
        red(Fault.HIDES_TROUBLE, "trouble", SourceContract::saysWhatCannotBeSetAside));
  }

  @ParameterizedTest(name = "{0} is red by {1}")
  @MethodSource("mistakes")
  void isRed(Fault fault, String by, Check check) throws Exception {
    SourceContract contract =
        new PlayedSourceTest() {
          @Override
          Fault[] faults() {
            return new Fault[] {fault};
          }

          @Override
          protected Duration limit() {
            return Duration.ofSeconds(3);
          }
        };
    contract.begin();
    try {
      assertThatThrownBy(() -> check.run(contract))
          .as(by)
          .isInstanceOfAny(AssertionError.class, SourceException.class);
    } finally {
      contract.end();
    }
  }
}
