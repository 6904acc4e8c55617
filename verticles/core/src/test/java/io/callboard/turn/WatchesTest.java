package io.callboard.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Who watches an actor is told of its end, and of no other's. */
class WatchesTest {
  record Word(String text) {}

  private static final class Quiet extends Actor<Word> {
    @Override
    protected void protocol(Protocol<Word> on) {
      on.message(Word.class, word -> {});
    }
  }

  private static Ref<Word> spawn(TestNode node) throws Exception {
    ActorRef<Word> actor =
        TestNode.await(node.spawn("/a", Quiet::new, new ActorOptions().onBus(false)));
    return (Ref<Word>) actor;
  }

  @Test
  void theEndOfTheLastOneAtItsPathIsNotToldOfTheNext() throws Exception {
    try (TestNode node = new TestNode().open()) {
      Watches watches = node.runtime.watches();
      List<String> told = new CopyOnWriteArrayList<>();
      VolatileRunner last = Objects.requireNonNull(spawn(node).here());
      TestNode.await(node.runtime.actors().stop(last.path()));
      Ref<Word> next = spawn(node);
      Runnable unused = watches.watch(next, told::add);
      watches.ended(last, "it was stopped");
      assertThat(told).isEmpty();
      TestNode.await(node.runtime.actors().stop(next.path()));
      assertThat(told).containsExactly("it was stopped");
    }
  }
}
