package io.callboard.internal.membership;

import io.callboard.ActorRef;
import io.callboard.CallboardOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.Waits;
import io.callboard.internal.node.TestNode;
import io.callboard.store.Member;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that the groups of another node become known in the end, whatever the store does meanwhile.
 */
class GroupsTest {
  record Word(String text) {}

  private static List<Member> other(String groups) {
    String fact = "{\"f\":1,\"groups\":{%s}}".formatted(groups);
    return List.of(new Member("other", "its-boot", Instant.EPOCH, Map.of(Groups.FACT, fact)));
  }

  /** Completes when that is known of the group. */
  private static Future<Void> members(TestNode node, String... paths) {
    List<ActorPath> wanted = Stream.of(paths).map(ActorPath::of).toList();
    Promise<Void> known = Promise.promise();
    Runnable unused =
        node.groups()
            .group("workers", Word.class)
            .listen(
                members -> {
                  if (members.stream().map(ActorRef::path).toList().equals(wanted)) {
                    known.tryComplete();
                  }
                });
    return known.future();
  }

  @Test
  void membersToldWhileTheStoreWasAwayAreKnownWhenItIsBack() throws Exception {
    try (TestNode node = new TestNode().open()) {
      Future<Void> joined = members(node, "/a");
      node.store.answer("members", call -> Future.succeededFuture(other("\"workers\":[\"v/a\"]")));
      node.storeEvents().connected();
      Waits.await(joined);
    }
  }

  @Test
  void aLookThatFailedIsTriedAgain() throws Exception {
    try (TestNode node = new TestNode().open()) {
      Future<Void> joined = members(node, "/a");
      node.store.answer("members", call -> Future.failedFuture(TestNode.unavailable()));
      node.groups().membersChanged();
      node.store.answer("members", call -> Future.succeededFuture(other("\"workers\":[\"v/a\"]")));
      Waits.await(joined);
    }
  }

  /** The cell's store need not tell of its death: no hint comes here. */
  @Test
  void aSweepFindsWhoIsThereAndThatItIsGone() throws Exception {
    CallboardOptions options = new CallboardOptions().sweepEvery(Duration.ofMillis(20));
    try (TestNode node = new TestNode(options).open()) {
      node.store.answer(
          "members", call -> Future.succeededFuture(other("\"workers\":[\"v/a\",\"d/b\"]")));
      Waits.await(members(node, "/a", "/b"));
      node.store.answer("members", call -> Future.succeededFuture(List.of()));
      Waits.await(members(node));
    }
  }
}
