package io.callboard.grid.internal.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.actor.Effect;
import io.callboard.testkit.actor.Effects;
import io.callboard.testkit.actor.TestedActor;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurableKeyTest {
  private static final Holder FREE = new Holder(0);

  /** Claim for a holder of that number, or a release without one, instead of one that is known. */
  record Request(int holder, int instead) {}

  record Holder(int number) {}

  private static final class Key extends DurableKey<Request, Holder> {
    @Override
    protected Holder initial() {
      return FREE;
    }

    @Override
    protected @Nullable Holder holder(Request request) {
      return request.holder() == 0 ? null : new Holder(request.holder());
    }

    @Override
    protected boolean replaces(Request request, Holder holder) {
      return request.instead() == holder.number();
    }

    @Override
    protected void won(Request claim) {
      tell(callboard().durableRef("/winners", Request.class), claim);
    }
  }

  @ParameterizedTest(name = "held by {0}: holder {1} instead of {2}")
  @CsvSource({
    // held, holder or 0 of a release, instead of; held then, whether it won, whether it is deleted
    "0, 1, 0, 1, true, false", // the first claim
    "0, 1, 9, 1, true, false", // of a free key it does not matter whom a claim knows
    "0, 0, 0, 0, false, true", // nothing is held, and nothing kept
    "1, 2, 0, 1, false, false", // another claim
    "1, 2, 3, 1, false, false", // it knows an earlier holder
    "1, 1, 0, 1, false, false", // the same claim again
    "1, 2, 1, 2, true, false", // it knows the holder
    "1, 0, 0, 1, false, false", // a release by whom knows no holder
    "1, 0, 2, 1, false, false", // and by whom knows another
    "1, 0, 1, 0, false, true",
  })
  void aKeyHasOneHolderUntilARequestThatKnowsItReplacesOrReleasesIt(
      int held, int holder, int instead, int then, boolean wins, boolean deleted) {
    TestedActor<Request> key = TestedActor.of(Key::new).start();
    if (held > 0) {
      assertThat(key.tell(new Request(held, 0)).answer(Holder.class)).isEqualTo(new Holder(held));
    }
    Request request = new Request(holder, instead);
    Effects effects = key.tell(request);
    assertThat(effects.answer(Holder.class)).isEqualTo(new Holder(then));
    assertThat(effects.sentTo("/winners")).isEqualTo(wins ? List.of(request) : List.of());
    assertThat(effects.of(Effect.Deleted.class)).hasSize(deleted ? 1 : 0);
  }

  @Test
  void aReleasedKeyCanBeClaimedAgain() {
    TestedActor<Request> key = TestedActor.of(Key::new).start();
    List<Request> requests =
        List.of(
            new Request(1, 0),
            new Request(2, 0),
            new Request(2, 1),
            new Request(3, 1),
            new Request(0, 1),
            new Request(2, 1),
            new Request(3, 2),
            new Request(0, 3),
            new Request(4, 3));
    assertThat(requests)
        .extracting(each -> key.tell(each).answer(Holder.class).number())
        .containsExactly(1, 1, 2, 2, 2, 2, 3, 0, 4);
  }
}
