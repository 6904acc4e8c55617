package io.callboard.pollers.internal.target;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.callboard.pollers.internal.protocol.TellCommand;
import io.callboard.pollers.internal.protocol.TellCommand.Told;
import io.callboard.testkit.actor.Effect;
import io.callboard.testkit.actor.Effects;
import io.callboard.testkit.actor.TestedActor;
import org.junit.jupiter.api.Test;

class MessageActorTest {
  private final TestedActor<TellCommand> actor = TestedActor.of(MessageActor::new).start();

  private Effects tell(String digest) {
    return actor.tell(new TellCommand.TellOnce("/to/1", "note", new TextNode("n"), digest));
  }

  @Test
  void aMessageIsToldOnceUntilItIsForgotten() {
    Effects first = tell("a");
    assertThat(first.sentTo("/to/1")).hasSize(1);
    assertThat(first.of(Effect.DurableTimerStarted.class))
        .extracting(Effect.DurableTimerStarted::delay)
        .containsExactly(MessageActor.KEPT);
    Effects other = tell("b");
    assertThat(other.sentTo("/to/1")).isEmpty();
    assertThat(other.answer(Told.class)).isEqualTo(first.answer(Told.class));
    assertThat(actor.fire("forget").of(Effect.Deleted.class)).hasSize(1);
    assertThat(tell("b").sentTo("/to/1")).hasSize(1);
  }
}
