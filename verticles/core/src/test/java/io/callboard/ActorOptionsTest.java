package io.callboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.callboard.delivery.Redelivery;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.WhenFull;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.zone.ZonePriority;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ActorOptionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"mailboxLimit\":\"x\" | /mailboxLimit: must be a whole number, not a text",
        "\"mailboxLimit\":5000000000 | /mailboxLimit: must be a whole number, not 5000000000",
        "\"attempts\":1.5 | /attempts: must be a whole number, not 1.5",
        "\"attempts\":0 | /attempts: attempts must be at least 1, not 0",
        "\"turnTimeout\":\"5s\" | /turnTimeout: must be an ISO 8601 duration such as PT30S, not the text \"5s\"",
        "\"stopTimeout\":5 | /stopTimeout: must be an ISO 8601 duration such as PT30S, not a number",
        "\"startTimeout\":\"PT-1S\" | /startTimeout: startTimeout must be positive, not PT-1S",
        "\"turnTimeout\":\"P10001D\" | /turnTimeout: turnTimeout must be 10000 days at most, not PT240024H",
        "\"zone\":7 | /zone: must be a text, not a number",
        "\"zone\":null | /zone: is empty: give it a value, or delete the key",
        "\"onBus\":\"yes\" | /onBus: must be true or false, not a text",
        "\"whenFull\":\"waits\" | /whenFull: must be one of wait, reject, drop, park, drop-oldest, not \"waits\"; did you mean \"wait\"?",
        "\"requiredLabels\":{\"disk\":5} | /requiredLabels: must be an object of up to 1,000 texts",
        "\"backoff\":\"PT1S\" | /backoff: must be an object, not a text",
        "\"backoff\":{\"min\":\"PT1S\",\"max\":\"PT2S\"} | /backoff/form: is missing",
        "\"backoff\":{\"form\":\"linear\"} | /backoff/form: must be one of exponential, slotted, not \"linear\"",
        "\"backoff\":{\"form\":\"exponential\",\"max\":\"PT2S\"} | /backoff/min: is missing",
        "\"backoff\":{\"form\":\"exponential\",\"min\":\"PT3S\",\"max\":\"PT2S\"} | /backoff: backoff needs 0 < min <= max <= 10000 days, not min PT3S, max PT2S",
        "\"backoff\":{\"form\":\"exponential\",\"min\":\"PT1S\",\"max\":\"PT2S\",\"jitter\":\"some\"} | /backoff/jitter: must be one of none, equal, full, decorrelated, not \"some\"; did you mean \"none\"?",
        "\"backoff\":{\"form\":\"exponential\",\"min\":\"PT1S\",\"max\":\"PT2S\",\"jiter\":\"full\"} | /backoff/jiter: is unknown; did you mean \"jitter\"?",
        "\"backoff\":{\"form\":\"slotted\",\"slotTime\":\"PT1S\",\"ceiling\":\"x\"} | /backoff/ceiling: must be a whole number, not a text",
        "\"backoff\":{\"form\":\"slotted\",\"slotTime\":\"PT1S\",\"ceiling\":1} | /backoff: slotted backoff with slotTime PT1S that resets at its ceiling needs a ceiling of 2 to 29, not 1",
        "\"backoff\":{\"form\":\"slotted\",\"slotTime\":\"PT1S\",\"ceiling\":5,\"stayAtCeiling\":1} | /backoff/stayAtCeiling: must be true or false, not a number",
        "\"redeliveryBackoff\":{\"form\":\"slotted\",\"slotTime\":5,\"max\":5} | /redeliveryBackoff/slotTime: must be an ISO 8601 duration such as PT30S, not a number; /redeliveryBackoff/ceiling: is missing; /redeliveryBackoff/max: is unknown; there are ceiling, form, slotTime, stayAtCeiling",
        "\"redeliveryAttempts\":0 | /redeliveryAttempts: must be a whole number from 1 to 2,147,483,647, not 0",
        "\"snapshotsKept\":0 | /snapshotsKept: must be a whole number from 1 to 100, not 0",
        "\"path\":\"/x\" | /path: is only for actors that are deployed as verticles: pass the path to spawn",
        "\"paht\":\"/x\",\"zoen\":\"x\" | /paht: is unknown; did you mean \"path\"?; /zoen: is unknown; did you mean \"zone\"?",
      })
  void aWrongOptionIsNamedWithWhatWouldBeRight(String option, String message) {
    assertThatThrownBy(() -> ActorOptions.of(new JsonObject("{" + option + "}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("actor options: " + message);
  }

  @Test
  void rightOnesAreTaken() {
    ActorOptions read =
        ActorOptions.of(
            new JsonObject()
                .put("zone", "blocking")
                .put("mailboxLimit", 7)
                .put("whenFull", "park")
                .put("attempts", 2)
                .put("startTimeout", "PT1S")
                .put("stopTimeout", "PT2S")
                .put("turnTimeout", "PT3S")
                .put("passivateAfter", "PT4S")
                .put("snapshotEvery", 9)
                .put("snapshotBytes", 1_000)
                .put("snapshotAfter", "PT5M")
                .put("snapshotsKept", 3)
                .put("onBus", false)
                .put("delivery", "at-least-once")
                .put("group", "workers"));
    assertThat(read.zone()).isEqualTo("blocking");
    assertThat(read.mailboxLimit()).isEqualTo(7);
    assertThat(read.whenFull()).isEqualTo(WhenFull.PARK);
    assertThat(read.attempts()).isEqualTo(2);
    assertThat(read.startTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(read.stopTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(read.turnTimeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(read.passivateAfter()).isEqualTo(Duration.ofSeconds(4));
    assertThat(read.snapshots()).isEqualTo(new SnapshotPolicy(9, 1_000, Duration.ofMinutes(5), 3));
    assertThat(read.onBus()).isFalse();
    assertThat(read.delivery()).contains(DeliveryMode.AT_LEAST_ONCE);
    assertThat(read.group()).contains("workers");
  }

  @ParameterizedTest
  @MethodSource("backoffs")
  void bothFormsOfBackoffAreTaken(String config, Backoff backoff) {
    ActorOptions read =
        ActorOptions.of(new JsonObject().put("backoff", new JsonObject(config.replace('\'', '"'))));
    assertThat(read).isEqualTo(new ActorOptions().backoff(backoff));
  }

  static Stream<Arguments> backoffs() {
    Duration second = Duration.ofSeconds(1);
    return Stream.of(
        arguments(
            "{'form':'exponential','min':'PT1S','max':'PT1M'}",
            Backoff.exponential(second, Duration.ofMinutes(1))),
        arguments(
            "{'form':'exponential','min':'PT1S','max':'PT1S','jitter':'none'}",
            Backoff.exponential(second, second, Backoff.Jitter.NONE)),
        arguments(
            "{'form':'exponential','min':'PT1S','max':'PT1S','jitter':'full'}",
            Backoff.exponential(second, second, Backoff.Jitter.FULL)),
        arguments(
            "{'form':'exponential','min':'PT1S','max':'PT1S','jitter':'decorrelated'}",
            Backoff.exponential(second, second, Backoff.Jitter.DECORRELATED)),
        arguments(
            "{'form':'slotted','slotTime':'PT1S','ceiling':10}",
            Backoff.slotted(second, 10, false)),
        arguments(
            "{'form':'slotted','slotTime':'PT1S','ceiling':1,'stayAtCeiling':true}",
            Backoff.slotted(second, 1, true)));
  }

  /** One that is not compared would let actors share options that differ in it. */
  @Test
  void equalOnesAgreeInAllThatIsSet() throws ReflectiveOperationException {
    assertThat(new ActorOptions())
        .isEqualTo(new ActorOptions())
        .hasSameHashCodeAs(new ActorOptions());
    int settings = 0;
    for (Method setter : ActorOptions.class.getMethods()) {
      if (setter.getReturnType() == ActorOptions.class
          && setter.getParameterCount() == 1
          && !Modifier.isStatic(setter.getModifiers())) {
        ActorOptions changed = new ActorOptions();
        setter.invoke(changed, other(setter));
        assertThat(changed).as(setter.getName()).isNotEqualTo(new ActorOptions());
        assertThat(new ActorOptions(changed)).as(setter.getName()).isEqualTo(changed);
        settings++;
      }
    }
    assertThat(settings).as("settings").isGreaterThanOrEqualTo(17);
  }

  private static Object other(Method setter) {
    Class<?> type = setter.getParameterTypes()[0];
    if (type == boolean.class) {
      return !setter.getName().equals("onBus");
    } else if (type == Redelivery.class) {
      return new Redelivery(Backoff.DEFAULT, 77);
    } else if (type == Map.class) {
      return Map.of("disk", "ssd");
    }
    Map<Class<?>, Object> others =
        Map.of(
            int.class,
            77,
            String.class,
            "other",
            Duration.class,
            Duration.ofSeconds(77),
            ZonePriority.class,
            ZonePriority.HIGH,
            WhenFull.class,
            WhenFull.DROP,
            DeliveryMode.class,
            DeliveryMode.AT_MOST_ONCE,
            Interceptor.class,
            new LoggingContext(),
            Backoff.class,
            Backoff.exponential(Duration.ofMillis(1), Duration.ofDays(1), Backoff.Jitter.FULL),
            SnapshotPolicy.class,
            SnapshotPolicy.every(77),
            SupervisionOptions.class,
            new SupervisionOptions().intensity(7, Duration.ofDays(1)));
    return Objects.requireNonNull(others.get(type), () -> "another " + type);
  }
}
