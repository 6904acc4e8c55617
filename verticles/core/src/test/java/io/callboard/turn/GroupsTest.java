package io.callboard.turn;

import io.callboard.store.Member;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What another node tells of its groups is known in the end, whatever the store does meanwhile. */
class GroupsTest {
  record Word(String text) {}

  private static List<Member> other(String groups) {
    String fact = "{\"f\":1,\"groups\":{%s}}".formatted(groups);
    return List.of(new Member("other", "its-boot", Instant.EPOCH, Map.of(Groups.FACT, fact)));
  }

  private static Promise<Void> joined(TestNode node) {
    Promise<Void> joined = Promise.promise();
    Runnable unused =
        node.runtime
            .groups()
            .group("workers", Word.class)
            .listen(
                members -> {
                  if (!members.isEmpty()) {
                    joined.tryComplete();
                  }
                });
    return joined;
  }

  @Test
  void whatWasToldWhileTheStoreWasAwayIsKnownWhenItIsBack() throws Exception {
    try (TestNode node = new TestNode().open()) {
      Promise<Void> joined = joined(node);
      node.store.answer("members", call -> Future.succeededFuture(other("\"workers\":[\"v/a\"]")));
      node.runtime.durables().connected();
      TestNode.await(joined.future());
    }
  }

  @Test
  void aLookThatFailedIsTriedAgain() throws Exception {
    try (TestNode node = new TestNode().open()) {
      Promise<Void> joined = joined(node);
      node.store.answer("members", call -> Future.failedFuture(TestNode.unavailable()));
      node.runtime.groups().membersChanged();
      node.store.answer("members", call -> Future.succeededFuture(other("\"workers\":[\"v/a\"]")));
      TestNode.await(joined.future());
    }
  }
}
