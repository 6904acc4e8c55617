package io.callboard.zone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.callboard.CallboardOptions;
import io.callboard.time.Time;
import io.callboard.zone.ZoneOptions.Kind;
import io.callboard.zone.ZoneOptions.WhenFull;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ZoneOptionsTest {
  private static void refused(ThrowingCallable call, String why) {
    assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(why);
  }

  @Test
  void sizesAreChecked() {
    refused(() -> ZoneOptions.fixed(0), "a fixed zone has a size of 1 to 1000 threads, not 0");
    refused(() -> ZoneOptions.fixed(1001), "1 to 1000 threads, not 1001");
    refused(
        () -> ZoneOptions.elastic(0, 3), "an elastic zone has a core of 1 to 1000 threads, not 0");
    refused(
        () -> ZoneOptions.elastic(4, 3),
        "an elastic zone with 4 threads has a max of 4 to 1000, not 3");
    refused(
        () -> ZoneOptions.forkJoin(0),
        "a fork-join zone has a parallelism of 1 to 1000 threads, not 0");
    refused(() -> ZoneOptions.fixed(1).queue(0), "a fixed zone has a queue of 1 to");
    refused(
        () -> ZoneOptions.elastic(1, 2).keepAlive(Duration.ZERO),
        "keepAlive must be positive, not PT0S");
    refused(
        () -> ZoneOptions.eventLoop().blockedAfter(Duration.ofMillis(99)),
        "blockedAfter must be at least PT0.1S, not PT0.099S");
  }

  @Test
  void kindsAndWishesHaveNames() {
    assertThat(Kind.of("fork-join")).isEqualTo(Kind.FORK_JOIN);
    assertThat(WhenFull.of("reject")).isEqualTo(WhenFull.REJECT);
    refused(
        () -> Kind.of("fixd"),
        "there is no kind \"fixd\"; there are event-loop, fixed, elastic, fork-join, virtual");
    refused(() -> Kind.of("executor"), "an executor is given in code");
    refused(() -> WhenFull.of("rejct"), "whenFull cannot be \"rejct\"; did you mean \"reject\"?");
    refused(() -> ZonePriority.of("hihg"), "no zone priority \"hihg\"; did you mean \"high\"?");
  }

  @Test
  void namesAreChecked() {
    CallboardOptions options = new CallboardOptions();
    refused(() -> options.zone("a b", ZoneOptions.fixed(1)), "\"a b\" is not a zone name");
    refused(
        () -> options.zone("supervision", ZoneOptions.eventLoop()),
        "zone supervision is of kind event-loop, but the supervisors need threads of their own");
    assertThatCode(() -> options.zone("io-2", ZoneOptions.elastic(1, 4)))
        .doesNotThrowAnyException();
  }

  @Test
  void durationsHaveAnUpperBound() {
    Duration most = Time.LONGEST;
    refused(
        () -> ZoneOptions.fixed(1).blockedAfter(most.plusNanos(1)),
        "blockedAfter must be at most 10000 days, not PT240000H0.000000001S");
    refused(
        () -> ZoneOptions.elastic(1, 2).keepAlive(Duration.ofSeconds(Long.MAX_VALUE)),
        "keepAlive must be at most 10000 days");
    assertThat(ZoneOptions.elastic(1, 2).keepAlive(most).keepAlive()).isEqualTo(most);
  }

  @Test
  void optionsThatAKindDoesNotHaveAreRefusedAsInAFile() {
    String keys = "; there are kind, blockedAfter";
    refused(
        () -> ZoneOptions.eventLoop().queue(5), "queue is not a key of the kind event-loop" + keys);
    refused(
        () -> ZoneOptions.virtual().whenFull(WhenFull.WAIT),
        "whenFull is not a key of the kind virtual" + keys);
    refused(
        () -> ZoneOptions.fixed(1).keepAlive(Duration.ofMillis(1)),
        "keepAlive is not a key of the kind fixed; there are kind, size, queue, whenFull");
    Duration minute = Duration.ofMinutes(1);
    refused(
        () -> new ZoneOptions(Kind.EVENT_LOOP, 0, 0, Duration.ZERO, 5, WhenFull.WAIT, minute, null),
        "queue is not a key");
    refused(
        () -> new ZoneOptions(Kind.FIXED, 1, 1, minute, 5, WhenFull.WAIT, minute, null),
        "keepAlive is not a key");
    refused(
        () -> new ZoneOptions(Kind.VIRTUAL, 0, 0, Duration.ZERO, 0, WhenFull.REJECT, minute, null),
        "whenFull is not a key");
  }

  @Test
  @SuppressWarnings("NullAway") // that is what is tested
  void nullsAreRefusedByName() {
    assertThatNullPointerException()
        .isThrownBy(() -> ZoneOptions.fixed(1).whenFull(null))
        .withMessage("whenFull is null: choose WAIT or REJECT");
    assertThatNullPointerException()
        .isThrownBy(() -> ZoneOptions.elastic(1, 2).keepAlive(null))
        .withMessage("keepAlive is null: give a duration");
    assertThatNullPointerException()
        .isThrownBy(() -> ZoneOptions.fixed(1).blockedAfter(null))
        .withMessage("blockedAfter is null: give a duration");
  }

  @Test
  void theSupervisorsRefuseNothing() {
    refused(
        () ->
            new CallboardOptions()
                .zone("supervision", ZoneOptions.fixed(1).whenFull(WhenFull.REJECT)),
        "zone supervision has no actors whose mail could be refused: leave out whenFull");
  }

  @Test
  void theZoneOfBuildersIsSmallAndRefusesWhatItHasNoRoomFor() {
    ZoneOptions builders = new CallboardOptions().zones().get(ZoneDefaults.BUILDERS);
    assertThat(builders.max()).isLessThanOrEqualTo(4);
    assertThat(builders.queue()).isLessThan(ZoneOptions.DEFAULT_QUEUE);
    assertThat(builders.whenFull()).isEqualTo(WhenFull.REJECT);
  }

  @Test
  void virtualZonesNeedAJavaThatHasVirtualThreads() {
    ThrowingCallable call = () -> new CallboardOptions().zone("io", ZoneOptions.virtual());
    if (Runtime.version().feature() >= 21) {
      assertThatCode(call).doesNotThrowAnyException();
    } else {
      refused(
          call,
          "zone io is of kind virtual, which needs Java 21 or newer; this is Java "
              + Runtime.version());
    }
  }
}
