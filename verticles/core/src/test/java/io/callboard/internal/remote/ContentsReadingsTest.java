package io.callboard.internal.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.CallboardException;
import io.callboard.admin.SupervisionTree;
import io.callboard.internal.remote.ContentsReadings.Wanted;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often, and for how many at the same time, a node looks at what is in its failure zones. */
class ContentsReadingsTest {
  private final List<Promise<SupervisionTree>> begun = new ArrayList<>();
  private final List<Wanted> written = new ArrayList<>();
  private final List<Runnable> later = new ArrayList<>();
  private long now = Long.MAX_VALUE - 5;
  private final ContentsReadings readings =
      new ContentsReadings(() -> now, this::later, this::begin, this::write);

  private void later(long millis, Runnable task) {
    assertThat(Duration.ofMillis(millis)).isEqualTo(ContentsReadings.IDLE);
    later.add(task);
  }

  /** Lets so much time pass that what nobody asks for is looked at. */
  private void sweep() {
    assertThat(later).as("alarms").hasSize(1);
    pass(ContentsReadings.IDLE);
    later.remove(0).run();
  }

  private Future<SupervisionTree> begin() {
    Promise<SupervisionTree> reading = Promise.promise();
    begun.add(reading);
    return reading.future();
  }

  private Future<byte[]> write(SupervisionTree unused, Wanted wanted) {
    written.add(wanted);
    return Future.succeededFuture(wanted.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static Wanted zone(int number) {
    return new Wanted(List.of("/zone-" + number), 100);
  }

  private Future<byte[]> ask(int number) {
    return readings.read(zone(number));
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private void answer(int reading) {
    begun
        .get(reading)
        .complete(
            new SupervisionTree(
                List.of(),
                List.of(),
                actor -> {
                  throw new AssertionError("there is none");
                }));
  }

  @Test
  void allShareOneReadingAndThoseWhoAskForTheSameOneAnswer() {
    Future<byte[]> first = ask(1);
    Future<byte[]> second = ask(1);
    Future<byte[]> other = ask(2);
    assertThat(begun).hasSize(1);
    answer(0);
    assertThat(second.result()).isSameAs(first.result());
    assertThat(other.result()).isNotEqualTo(first.result());
    assertThat(written).containsExactlyInAnyOrder(zone(1), zone(2));
    pass(Duration.ofMillis(999));
    assertThat(ask(1).result()).isSameAs(first.result());
    assertThat(written).hasSize(2);
    pass(Duration.ofMillis(1));
    assertThat(ask(1).isComplete()).isFalse();
    assertThat(begun).hasSize(2);
    answer(1);
    assertThat(written).hasSize(3);
  }

  @Test
  void aReadingTakesAHundredthOfTheTimeAtMost() {
    assertThat(ContentsReadings.kept(Duration.ofMillis(1))).isEqualTo(Duration.ofSeconds(1));
    assertThat(ContentsReadings.kept(Duration.ofMillis(100))).isEqualTo(Duration.ofSeconds(10));
    assertThat(ContentsReadings.kept(Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void aSetOfZonesTooManyIsRefusedUntilAnotherIsDone() {
    for (int i = 0; i < ContentsReadings.MOST; i++) {
      assertThat(ask(i).isComplete()).isFalse();
    }
    assertThat(ask(99).cause())
        .isInstanceOfSatisfying(
            CallboardException.class,
            cause -> assertThat(cause.code()).isEqualTo(CallboardException.Code.UNAVAILABLE))
        .hasMessage(
            "the contents of 16 other sets of failure zones are asked for at the same time, of at"
                + " most 16");
    assertThat(ask(3).failed()).as("one that is known").isFalse();
    pass(ContentsReadings.IDLE.multipliedBy(10));
    assertThat(ask(99).failed()).as("all are under way").isTrue();
    answer(0);
    pass(ContentsReadings.IDLE.minusNanos(1));
    assertThat(ask(99).failed()).isTrue();
    pass(Duration.ofNanos(1));
    assertThat(ask(99).failed()).isFalse();
    assertThat(begun).as("one look at all actors for all of them").hasSize(1);
  }

  @Test
  void whenTheLastViewerHasGoneNothingIsHeldAnyMore() {
    Future<byte[]> first = ask(1);
    pass(Duration.ofMillis(50));
    answer(0);
    assertThat(first.succeeded()).isTrue();
    sweep();
    assertThat(ask(1).result()).as("it is fresh for 5 s").isEqualTo(first.result());
    sweep();
    sweep();
    assertThat(later).as("nothing is held, nothing to look at").isEmpty();
    assertThat(begun).hasSize(1);

    Future<byte[]> next = ask(1);
    assertThat(begun).as("it was given up").hasSize(2);
    answer(1);
    assertThat(next.succeeded()).isTrue();
    assertThat(later).hasSize(1);
  }

  @Test
  void aFailedReadingIsNotKept() {
    Future<byte[]> first = ask(1);
    begun.get(0).fail("closed");
    assertThat(first.cause()).hasMessage("closed");
    assertThat(ask(1).isComplete()).isFalse();
    assertThat(begun).hasSize(2);
  }
}
