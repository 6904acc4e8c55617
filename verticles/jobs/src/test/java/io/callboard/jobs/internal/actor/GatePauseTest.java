package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.gate.GateState;
import io.callboard.jobs.internal.protocol.GateAnswer;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.TypePause;
import io.callboard.testkit.actor.TestedActor;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/** Who paused a type, as the gate keeps it. */
class GatePauseTest {
  private static final String TYPE = JobType.PROCESS;

  private final TestedActor<GateCommand> gate =
      TestedActor.<GateCommand>of(Gate::new)
          .path(Gate.PATH)
          .once() // a pause has the time of the clock
          .start();

  private GateAnswer.Type tells(GateCommand command) {
    return gate.tell(command).answer(GateAnswer.Type.class);
  }

  private GateAnswer.Type pauses(String by, String reason) {
    return tells(new GateCommand.Pause(TYPE, true, by, reason));
  }

  private @Nullable Map<String, TypePause> pauses() {
    return gate.tell(new GateCommand.Look(null)).answer(GateAnswer.Overview.class).pauses();
  }

  private static JobType limited(int limit, boolean paused) {
    return new JobType(TYPE, "process", limit, paused, RetryPolicy.ONCE);
  }

  @Test
  void theUserWhoPausesATypeIsKeptWithReasonAndTime() {
    TypePause pause = Objects.requireNonNull(pauses("anna", "the partner is down").pause());
    assertThat(pause.by()).isEqualTo("anna");
    assertThat(pause.reason()).isEqualTo("the partner is down");
    assertThat(pause.text()).startsWith("by anna since ").endsWith("Z: the partner is down");
    assertThat(pauses()).containsOnlyKeys(TYPE).containsValue(pause);
  }

  @Test
  void aPauseOutlivesTheGate() {
    TypePause pause = pauses("anna", "the partner is down").pause();
    gate.restart();
    assertThat(pause).isNotNull();
    assertThat(pauses()).containsOnlyKeys(TYPE).containsValue(pause);
  }

  @Test
  void aSecondPauseDoesNotChangeWhoPausedTheType() {
    TypePause first = pauses("anna", "the partner is down").pause();
    assertThat(pauses("ben", "no idea").pause()).isNotNull().isEqualTo(first);
    GateAnswer.Type limited =
        tells(new GateCommand.PutType(limited(3, true), null, "carl", "fewer"));
    assertThat(limited.pause()).as("a limit pauses nothing").isEqualTo(first);
  }

  @Test
  void aResumedTypeNamesNoUser() {
    var unused = pauses("anna", "the partner is down");
    assertThat(tells(new GateCommand.Pause(TYPE, false)).pause()).isNull();
    assertThat(pauses()).isNull();
    GateAnswer.Type put = tells(new GateCommand.PutType(limited(3, true), null, "ben", null));
    assertThat(put.pause()).isNotNull().extracting(TypePause::by).isEqualTo("ben");
  }

  @Test
  void aPausedTypeCanBeChanged() {
    JobType read = tells(new GateCommand.PutType(limited(3, false), null)).type();
    var unused = pauses("anna", "the partner is down");
    unused = tells(new GateCommand.Pause(TYPE, false));
    assertThat(tells(new GateCommand.PutType(limited(4, false), read)).type().limit()).isEqualTo(4);
  }

  @Test
  void aPauseByAnOlderNodeHasNoKnownUserReasonOrTime() {
    GateState state =
        GateState.empty()
            .apply(new GateEvent.TypePut(limited(3, true), new TypePause("a", "b", Instant.EPOCH)))
            .apply(new GateEvent.TypePut(limited(3, false)))
            .apply(new GateEvent.TypePut(limited(3, true)));
    assertThat(state.pause(TYPE)).isNull();
    assertThat(Objects.requireNonNull(state.types().get(TYPE)).paused()).isTrue();
  }

  @Test
  void aTypeThatIsNotPausedKeepsNoUser() {
    TypePause pause = new TypePause("a", "b", Instant.EPOCH);
    JobType other = new JobType("other", "process", 1, true, RetryPolicy.ONCE);
    Map<String, JobType> types = Map.of(TYPE, limited(3, false), "other", other);
    Map<String, TypePause> pauses = Map.of(TYPE, pause, "other", pause, "none", pause);
    assertThat(state(types, pauses).pauses()).isEqualTo(Map.of("other", pause));
    assertThat(state(types, Map.of(TYPE, pause)).pauses()).isNull();
  }

  @Test
  void eventsThatChangeNoTypeDoNotLookAtThePauses() {
    PMap<String, TypePause> unseen =
        HashTreePMap.singleton(TYPE, new TypePause("a", "b", Instant.EPOCH));
    Object proxy =
        Proxy.newProxyInstance(
            PMap.class.getClassLoader(),
            new Class<?>[] {PMap.class},
            (self, method, arguments) -> {
              if (Set.of("keySet", "entrySet", "values", "minus", "minusAll")
                  .contains(method.getName())) {
                throw new AssertionError("looks at all of them: " + method);
              }
              return method.invoke(unseen, arguments);
            });
    @SuppressWarnings("unchecked")
    Map<String, TypePause> pauses = (Map<String, TypePause>) proxy;
    GateState state =
        state(Map.of(TYPE, limited(3, true)), pauses)
            .apply(new GateEvent.Withdrawn("nobody"))
            .apply(new GateEvent.Released("nobody", 1))
            .apply(new GateEvent.LimitPut("db", 3));
    assertThat(state.pauses()).isSameAs(proxy);
    assertThat(state.pause(TYPE)).isNotNull();
  }

  private static GateState state(Map<String, JobType> types, Map<String, TypePause> pauses) {
    return new GateState(types, Map.of(), Map.of(), 0, 0, null, null, pauses);
  }

  @Test
  void unknownFactsOfAPauseAreLeftOut() {
    assertThat(new TypePause(null, null, Instant.EPOCH).text())
        .isEqualTo("since 1970-01-01T00:00:00Z");
  }
}
