package io.callboard.testkit.tck;

import static io.callboard.testkit.tck.TckNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.store.Lease;
import io.callboard.store.StoreException.Kind;
import io.callboard.store.StoredFailures;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cases of the stored failures of actors. */
interface FailureCases extends TckStage {
  Instant THEN = Instant.parse("2026-03-01T10:00:00.123456789Z");

  private static Failure failure(int seconds, Failure.Kind kind) {
    return Failure.of(
        THEN.plusSeconds(seconds), kind, new IllegalStateException("no. " + seconds), "node", 3);
  }

  @Test
  default void ofAnActorThatNeverFailedThereIsNothing() {
    TckNode node = open("node");
    assertThat(await(node.store().failures(ActorPath.of("/space/none")))).isEmpty();
    ActorPath actor = mailbox(node, "/space/a");
    assertThat(await(node.store().failures(actor))).isEmpty();
  }

  @Test
  default void failuresAreReadAsTheyWereWrittenByAnyNode() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    Failure first = failure(1, Failure.Kind.START);
    Failure decided =
        failure(2, Failure.Kind.THROWN).decided(Directive.RESTART, Duration.ofMillis(1500));
    await(node.store().keepFailures(actor, lease, List.of(first)));
    assertThat(await(other.store().failures(actor))).containsExactly(first);
    await(node.store().keepFailures(actor, lease, List.of(first, decided)));
    assertThat(await(other.store().failures(actor))).containsExactly(first, decided);
    await(node.store().keepFailures(actor, lease, List.of(decided)));
    assertThat(await(other.store().failures(actor))).containsExactly(decided);
    assertThat(await(other.store().failures(ActorPath.of("/space/b")))).isEmpty();
  }

  @Test
  default void anOwnerThatWasReplacedWritesNoFailures() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath actor = mailbox(node, "/space/a");
    Lease before = node.claim(actor);
    Failure first = failure(1, Failure.Kind.THROWN);
    await(node.store().keepFailures(actor, before, List.of(first)));
    Lease now = other.claim(actor);
    fails(
        Kind.CONFLICT,
        node.store().keepFailures(actor, before, List.of(failure(2, Failure.Kind.COMMIT))));
    fails(
        Kind.CONFLICT,
        node.store()
            .keepFailures(
                ActorPath.of(actor.toString()), before, List.of(failure(3, Failure.Kind.COMMIT))));
    Failure lost = failure(4, Failure.Kind.NODE_LOST);
    await(other.store().keepFailures(actor, now, List.of(first, lost)));
    assertThat(await(node.store().failures(actor))).containsExactly(first, lost);
  }

  @Test
  default void failuresTouchNeitherRecordNorMail() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.sends(TckUnit.tell(actor, "x", 1));
    node.hears("mail " + actor);
    node.deaf();
    var before = await(node.store().actor(actor));
    await(node.store().keepFailures(actor, lease, List.of(failure(1, Failure.Kind.POISONED))));
    assertThat(await(node.store().actor(actor))).isEqualTo(before);
    assertThat(node.segments(actor)).hasSize(1);
    assertThat(node.heard()).isEmpty();
  }

  @Test
  default void failuresThatDoNotFitGoTheOldestFirst() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    String stack = "s".repeat(Failure.MOST_STACK);
    List<Failure> many =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    new Failure(
                        THEN.plusSeconds(i),
                        Failure.Kind.THROWN,
                        "\u0001".repeat(400),
                        stack,
                        "node",
                        i,
                        1,
                        null,
                        null))
            .toList();
    await(node.store().keepFailures(actor, lease, many));
    List<Failure> read = await(node.store().failures(actor));
    int lost = many.size() - read.size();
    assertThat(lost).isPositive();
    assertThat(read).isEqualTo(many.stream().skip(lost).map(Failure::withoutStack).toList());
    assertThat(StoredFailures.encode(many).length)
        .isBetween(StoredFailures.MOST_BYTES * 3 / 4, StoredFailures.MOST_BYTES);
  }
}
