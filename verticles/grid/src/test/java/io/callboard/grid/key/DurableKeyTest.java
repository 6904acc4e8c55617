package io.callboard.grid.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.actor.Effect;
import io.callboard.testkit.actor.Effects;
import io.callboard.testkit.actor.TestedActor;
import io.callboard.testkit.world.Worlds;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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

  /** Requests that know the present holder, an earlier one, or none. */
  private static void play(long seed) {
    Random random = new Random(seed);
    TestedActor<Request> key = TestedActor.of(Key::new).start();
    Holder held = FREE;
    for (int number = 1; number <= 40; number++) {
      int known = random.nextBoolean() ? held.number() : random.nextInt(number);
      Request request = new Request(random.nextInt(4) == 0 ? 0 : number, known);
      boolean wins = held.equals(FREE) || known == held.number();
      boolean isClaim = request.holder() > 0;
      held = wins ? new Holder(request.holder()) : held;
      Effects effects = key.tell(request);
      assertThat(effects.answer(Holder.class)).as("answer to %s", request).isEqualTo(held);
      assertThat(effects.sentTo("/winners"))
          .isEqualTo(wins && isClaim ? List.of(request) : List.of());
      assertThat(effects.of(Effect.Deleted.class)).hasSize(wins && !isClaim ? 1 : 0);
    }
  }

  @Test
  void aKeyHasOneHolderUntilARequestThatKnowsItReplacesOrReleasesIt() {
    assertThat(Worlds.play(4, DurableKeyTest::play)).isPositive();
  }
}
