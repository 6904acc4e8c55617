package io.callboard.internal.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.CallboardException;
import io.callboard.internal.remote.ContentsReadings.Wanted;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often, and for how many at the same time, a node looks at what is in its failure zones. */
class ContentsReadingsTest {
  private final List<Promise<ObjectNode>> begun = new ArrayList<>();
  private long now = Long.MAX_VALUE - 5;
  private final ContentsReadings readings = new ContentsReadings(() -> now, this::begin);

  private Future<ObjectNode> begin(Wanted unused) {
    Promise<ObjectNode> reading = Promise.promise();
    begun.add(reading);
    return reading.future();
  }

  private static Wanted zone(int number) {
    return new Wanted(List.of("/zone-" + number), 100);
  }

  private Future<ObjectNode> ask(int number) {
    return readings.read(zone(number));
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private void answer(int reading) {
    begun.get(reading).complete(JsonNodeFactory.instance.objectNode());
  }

  @Test
  void thoseWhoAskForTheSameShareOneReading() {
    Future<ObjectNode> first = ask(1);
    Future<ObjectNode> second = ask(1);
    Future<ObjectNode> other = ask(2);
    assertThat(begun).hasSize(2);
    answer(0);
    assertThat(first.succeeded()).isTrue();
    assertThat(second.result()).isSameAs(first.result());
    assertThat(other.isComplete()).isFalse();
    pass(Duration.ofMillis(999));
    assertThat(ask(1).result()).isSameAs(first.result());
    pass(Duration.ofMillis(1));
    assertThat(ask(1).isComplete()).isFalse();
    assertThat(begun).hasSize(3);
  }

  @Test
  void aReadingTakesAHundredthOfTheTimeAtMost() {
    assertThat(ContentsReadings.kept(Duration.ofMillis(1))).isEqualTo(Duration.ofSeconds(1));
    assertThat(ContentsReadings.kept(Duration.ofMillis(100))).isEqualTo(Duration.ofSeconds(10));
    assertThat(ContentsReadings.kept(Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void oneSetTooManyIsRefusedInWordsUntilNobodyAsksForAnother() {
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
    pass(ContentsReadings.IDLE);
    assertThat(ask(99).failed()).isFalse();
    assertThat(begun).hasSize(ContentsReadings.MOST + 1);
  }

  @Test
  void aFailedReadingIsNotKept() {
    Future<ObjectNode> first = ask(1);
    begun.get(0).fail("closed");
    assertThat(first.cause()).hasMessage("closed");
    assertThat(ask(1).isComplete()).isFalse();
    assertThat(begun).hasSize(2);
  }
}
