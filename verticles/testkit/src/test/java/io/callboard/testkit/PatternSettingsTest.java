package io.callboard.testkit;

import static io.callboard.testkit.SampleActors.idle;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorRef;
import io.callboard.guard.Guard;
import io.callboard.guard.GuardOptions;
import io.callboard.routing.Routers;
import io.callboard.routing.Routing;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Test that no setting of a router or a guard may be null, and that the error names it. */
@SuppressWarnings("NullAway") // what a user may do all the same
class PatternSettingsTest {
  record Do(String what) {}

  @Test
  void noSettingOfARouterIsNull() {
    Routing<Do> routing = Routing.roundRobin();
    isRefused("factory", () -> Routers.pool(1, null, routing));
    isRefused("routing", () -> Routers.pool(1, idle(Do.class), null));
    isRefused("options", () -> Routers.pool(1, idle(Do.class), routing, null));
    isRefused("protocol", () -> Routers.group(null, List.of(), routing));
    isRefused("routees", () -> Routers.group(Do.class, (List<ActorRef<Do>>) null, routing));
    isRefused("routing", () -> Routers.group(Do.class, List.of(), null));
    isRefused("routing", () -> Routers.group(Do.class, "group", null));
    isRefused("key", () -> Routing.consistentHash(null));
    isRefused("answer", () -> Routing.firstAnswer(null, Duration.ofDays(1)));
    isRefused("within", () -> Routing.firstAnswer(Do.class, null));
  }

  @Test
  void noSettingOfAGuardIsNull() {
    GuardOptions<Do> options = new GuardOptions<>();
    isRefused("backoff", () -> options.backoff(null));
    isRefused("deadline", () -> options.deadline(null));
    isRefused("actor", () -> options.actor(null));
    isRefused("fallback", () -> options.fallback((Function<Do, ?>) null));
    isRefused("fallback", () -> options.fallback((ActorRef<Do>) null));
    isRefused("factory", () -> Guard.of(null, options));
    isRefused("options", () -> Guard.of(idle(Do.class), null));
  }

  private static void isRefused(String parameter, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(NullPointerException.class)
        .hasMessageMatching(parameter + " is null: .+");
  }
}
