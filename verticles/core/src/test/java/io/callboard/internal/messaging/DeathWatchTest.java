package io.callboard.internal.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.internal.Waits;
import io.callboard.internal.node.TestNode;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Tests that watchers of an actor are notified of its end, and of no other's. */
class DeathWatchTest {
  record Word(String text) {}

  private static final class Quiet extends Actor<Word> {
    @Override
    protected void protocol(Protocol<Word> on) {
      on.message(Word.class, word -> {});
    }
  }

  private static ActorRefImpl<Word> spawn(TestNode node) throws Exception {
    ActorRef<Word> actor =
        Waits.await(node.spawn("/a", Quiet::new, new ActorOptions().onBus(false)));
    return (ActorRefImpl<Word>) actor;
  }

  @Test
  void theEndOfTheLastOneAtItsPathIsNotToldOfTheNext() throws Exception {
    try (TestNode node = new TestNode().open()) {
      DeathWatch deathWatch = node.deathWatch();
      List<Termination> told = new CopyOnWriteArrayList<>();
      LocalActor last = Objects.requireNonNull(spawn(node).here());
      Waits.await(node.stop(last.path()));
      ActorRefImpl<Word> next = spawn(node);
      Runnable unused = deathWatch.watch(next, told::add);
      deathWatch.ended(last, () -> new Termination("it was stopped", null));
      assertThat(told).isEmpty();
      Waits.await(node.stop(next.path()));
      assertThat(told).containsExactly(new Termination("it was stopped", null));
    }
  }

  private static final ActorPath ACTOR = ActorPath.of("/a");
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  private static Termination read(String answer) {
    return Termination.read(
        ACTOR, Json.parse("an answer", answer.getBytes(StandardCharsets.UTF_8)), NOW);
  }

  @Test
  void anAnswerTravelsWithItsFailure() {
    Failure failure =
        Failure.of(NOW, Failure.Kind.THROWN, new IllegalStateException("as told"), "there", 3)
            .decided(Directive.STOP, null);
    Termination end = new Termination("it was stopped", failure);
    String json = new String(Json.bytes(end), StandardCharsets.UTF_8);
    assertThat(read(json)).isEqualTo(end);
    assertThat(json)
        .as("as nodes before this version read it")
        .contains("\"cause\":\"it was stopped\"");
  }

  @Test
  void anAnswerOfAnOlderNodeHasNoFailure() {
    assertThat(read("{\"cause\":\"it was stopped\"}"))
        .isEqualTo(new Termination("it was stopped", null));
  }

  @Test
  void aFailureOfANewerKindIsAFailureAllTheSame() {
    String newer =
        "{\"cause\":\"it"
            + " melted\",\"failure\":{\"at\":\"2030-01-01T00:00:00Z\",\"kind\":\"MELTED\"}}";
    assertThat(read(newer).failure())
        .satisfies(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Failure.Kind.THROWN);
              assertThat(failure.cause()).isEqualTo("it melted");
            });
  }

  @Test
  void anActorWhoseNodeIsGoneEndedByThat() {
    assertThat(Termination.nodeLost("no actor /a runs in this cell", NOW).failure())
        .extracting(Failure::kind)
        .isEqualTo(Failure.Kind.NODE_LOST);
  }
}
