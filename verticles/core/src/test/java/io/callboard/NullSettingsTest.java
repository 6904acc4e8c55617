package io.callboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.supervision.Backoff;
import io.callboard.supervision.Directive;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.Retries;
import io.callboard.supervision.Rules;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.zone.ZoneOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that no setting takes null, and that each refuses it at once, with what would be right. */
@SuppressWarnings("NullAway") // what a user may do all the same
class NullSettingsTest {
  record Do(String what) {}

  @Test
  void noSettingOfAnActorIsNull() throws ReflectiveOperationException {
    assertThat(refused(new ActorOptions())).hasSizeGreaterThanOrEqualTo(12);
  }

  @Test
  void noSettingOfANodeIsNull() throws ReflectiveOperationException {
    assertThat(refused(new CallboardOptions())).hasSizeGreaterThanOrEqualTo(7);
  }

  @Test
  void noOptionOfAMessageIsNull() throws ReflectiveOperationException {
    assertThat(refused(TellOptions.NONE)).hasSize(8);
  }

  @Test
  void noSettingOfAZoneIsNull() throws ReflectiveOperationException {
    assertThat(refused(ZoneOptions.elastic(1, 2)))
        .containsExactlyInAnyOrder("of", "keepAlive", "whenFull", "blockedAfter");
  }

  @Test
  void noSettingOfASupervisorIsNull() throws ReflectiveOperationException {
    assertThat(refused(new SupervisionOptions()))
        .containsExactlyInAnyOrder(
            "backoff", "kind", "resetAfter", "rules", "intensity", "whenOver");
    assertThat(refused(new FailureZone())).hasSizeGreaterThanOrEqualTo(6);
    isRefused("type", () -> Rules.RESTART.on(null, Directive.STOP));
    isRefused("fits", () -> Rules.RESTART.when(null, Directive.STOP));
    isRefused("directive", () -> Rules.RESTART.when(cause -> true, null));
    isRefused("min", () -> Backoff.exponential(null, Duration.ofDays(1), Backoff.Jitter.NONE));
    isRefused("max", () -> Backoff.exponential(Duration.ofDays(1), null, Backoff.Jitter.NONE));
    isRefused("jitter", () -> Backoff.exponential(Duration.ofDays(1), Duration.ofDays(1), null));
    isRefused("slotTime", () -> Backoff.slotted(null, 10, true));
    Backoff backoff = Backoff.DEFAULT;
    isRefused("backoff", () -> new Retries(null, 0, 0, 0, Duration.ZERO));
    isRefused("delay", () -> new Retries(backoff, 0, 0, 0, null));
  }

  @Test
  void noArgumentOfAProtocolIsNull() {
    Protocol<Do> on = new Protocol<>(Do.class, query -> {}, Supplier::get);
    isRefused("handler", () -> on.message(Do.class, null));
    isRefused("handler", () -> on.async(Do.class, null));
    isRefused("handler", () -> on.others(null));
    isRefused("handler", () -> on.query(Do.class, null));
    isRefused("type", () -> on.message(null, message -> {}));
    isRefused("adapter", () -> on.adapt(String.class, null));
    isRefused("foreign", () -> on.adapt(null, message -> new Do("x")));
  }

  static final class Nobody extends Actor<Do> {
    @Override
    protected void protocol(Protocol<Do> on) {}
  }

  private static void isRefused(String parameter, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(NullPointerException.class)
        .hasMessageMatching(parameter + " is null: .+");
  }

  /** The setters that refuse null; all must that take an object which may not be null. */
  private static List<String> refused(Object options) throws ReflectiveOperationException {
    List<String> refused = new ArrayList<>();
    for (Method setter : options.getClass().getMethods()) {
      if (setter.getReturnType() != options.getClass()) {
        continue;
      }
      for (int i = 0; i < setter.getParameterCount(); i++) {
        if (isRefusable(setter.getParameters()[i])) {
          isRefused(options, setter, i);
          refused.add(setter.getName());
        }
      }
    }
    return refused;
  }

  private static boolean isRefusable(Parameter parameter) {
    return !parameter.getType().isPrimitive()
        && !parameter.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  private static void isRefused(Object options, Method setter, int place) {
    Object[] given = Arrays.stream(setter.getParameterTypes()).map(NullSettingsTest::any).toArray();
    given[place] = null;
    assertThatThrownBy(() -> setter.invoke(options, given))
        .as("%s, parameter %d", setter, place)
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOfAny(NullPointerException.class, IllegalArgumentException.class)
        .hasMessageMatching(".*null.*: (give|choose|use|leave) .+");
  }

  private static Object any(Class<?> type) {
    Map<Class<?>, Object> some =
        Map.of(
            int.class,
            1,
            boolean.class,
            true,
            String.class,
            "some",
            Duration.class,
            Duration.ofDays(1),
            ZoneOptions.class,
            ZoneOptions.fixed(1));
    return some.getOrDefault(type, ""); // which no setter of one parameter is given
  }
}
