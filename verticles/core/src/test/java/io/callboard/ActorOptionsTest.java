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
        "\"mailboxLimit\":\"x\"      | actor option mailboxLimit takes a whole number up to"
            + " 2147483647, not the text \"x\"",
        "\"mailboxLimit\":5000000000 | actor option mailboxLimit takes a whole number up to"
            + " 2147483647, not 5000000000",
        "\"attempts\":1.5            | actor option attempts takes a whole number up to 2147483647,"
            + " not 1.5",
        "\"attempts\":0              | attempts must be at least 1, not 0",
        "\"turnTimeout\":\"5s\"      | actor option turnTimeout takes an ISO 8601 duration such as"
            + " \"PT5S\", not the text \"5s\"",
        "\"stopTimeout\":5           | actor option stopTimeout takes an ISO 8601 duration such as"
            + " \"PT5S\", not 5",
        "\"startTimeout\":\"PT-1S\"  | startTimeout must be positive, not PT-1S",
        "\"turnTimeout\":\"P10001D\" | turnTimeout must be 10000 days at most, not PT240024H",
        "\"zone\":7                  | actor option zone takes a text, not 7",
        "\"zone\":null               | actor option zone takes a text, not null",
        "\"onBus\":\"yes\"           | actor option onBus takes true or false, not the text \"yes\"",
        "\"whenFull\":\"waits\"      | actor option whenFull takes wait, reject, drop, park or drop-oldest, not"
            + " the text \"waits\"",
        "\"backoff\":\"PT1S\" | "
            + "actor option backoff takes an object with its form, such as {\"form\":\"exponential\",\"min\":\"PT0.2S\",\"max\":\"PT30S\"}, not the text \"PT1S\"",
        "\"backoff\":{\"min\":\"PT1S\",\"max\":\"PT2S\"} | "
            + "actor option backoff.form takes exponential or slotted, not null",
        "\"backoff\":{\"form\":\"linear\"} | "
            + "actor option backoff.form takes exponential or slotted, not the text \"linear\"",
        "\"backoff\":{\"form\":\"exponential\",\"max\":\"PT2S\"} | "
            + "actor option backoff.min takes an ISO 8601 duration such as \"PT5S\", not null",
        "\"backoff\":{\"form\":\"exponential\",\"min\":\"PT3S\",\"max\":\"PT2S\"} | "
            + "backoff needs 0 < min <= max <= 10000 days, not min PT3S, max PT2S",
        "\"backoff\":{\"form\":\"exponential\",\"min\":\"PT1S\",\"max\":\"PT2S\",\"jitter\":\"some\"} | "
            + "actor option backoff.jitter takes none, equal, full or decorrelated, not the text \"some\"",
        "\"backoff\":{\"form\":\"exponential\",\"min\":\"PT1S\",\"max\":\"PT2S\",\"jiter\":\"full\"} | "
            + "actor option backoff takes form, min, max, jitter, not \"jiter\"; did you mean \"jitter\"?",
        "\"backoff\":{\"form\":\"slotted\",\"slotTime\":\"PT1S\",\"ceiling\":\"x\"} | "
            + "actor option backoff.ceiling takes a whole number up to 2147483647, not the text \"x\"",
        "\"backoff\":{\"form\":\"slotted\",\"slotTime\":\"PT1S\",\"ceiling\":1} | "
            + "slotted backoff with slotTime PT1S that resets at its ceiling needs a ceiling of 2 to 29, not 1",
        "\"backoff\":{\"form\":\"slotted\",\"slotTime\":\"PT1S\",\"ceiling\":5,\"stayAtCeiling\":1} | "
            + "actor option backoff.stayAtCeiling takes true or false, not 1",
        "\"redeliveryBackoff\":{\"form\":\"slotted\",\"slotTime\":5} | actor option"
            + " redeliveryBackoff.slotTime takes an ISO 8601 duration such as \"PT5S\", not 5",
        "\"redeliveryBackoff\":{\"form\":\"slotted\",\"max\":5} | actor option redeliveryBackoff takes"
            + " form, slotTime, ceiling, stayAtCeiling, not \"max\"; there are ceiling, form,"
            + " slotTime, stayAtCeiling",
        "\"redeliveryAttempts\":0    | redeliveryAttempts must be at least 1, not 0",
        "\"snapshotsKept\":0         | actor option snapshotsKept takes a whole number from 1 to 100,"
            + " not 0",
        "\"path\":\"/x\" | actor option path is only for actors that are deployed as verticles: pass"
            + " the path to spawn",
        "\"paht\":\"/x\"             | there is no actor option \"paht\"; did you mean \"path\"?",
        "\"zoen\":\"x\"              | there is no actor option \"zoen\"; did you mean \"zone\"?",
      })
  void aWrongOptionIsNamedWithWhatWouldBeRight(String option, String message) {
    assertThatThrownBy(() -> ActorOptions.of(new JsonObject("{" + option + "}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
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
