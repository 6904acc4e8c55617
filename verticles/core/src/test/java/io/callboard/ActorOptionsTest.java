package io.callboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        "\"whenFull\":\"waits\"      | actor option whenFull takes wait, reject, drop or park, not"
            + " the text \"waits\"",
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
    assertThat(read.snapshotEvery()).isEqualTo(9);
    assertThat(read.onBus()).isFalse();
    assertThat(read.delivery()).contains(DeliveryMode.AT_LEAST_ONCE);
    assertThat(read.group()).contains("workers");
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
    assertThat(settings).as("settings").isGreaterThanOrEqualTo(16);
  }

  private static Object other(Method setter) {
    Class<?> type = setter.getParameterTypes()[0];
    if (type == boolean.class) {
      return !setter.getName().equals("onBus");
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
            new Backoff(Duration.ofMillis(1), Duration.ofDays(1), Backoff.Jitter.FULL),
            SupervisionOptions.class,
            new SupervisionOptions().withIntensity(7, Duration.ofDays(1)));
    return Objects.requireNonNull(others.get(type), () -> "another " + type);
  }
}
