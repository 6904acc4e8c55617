package io.callboard.dashboard.internal.model;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.store.Member;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CellActorsTest {
  private static final ActorPath PATH = ActorPath.of("/shop/till");
  private static final List<Member> ASKED = List.of(member("b"), member("c"));
  private static final Future<Optional<ObjectNode>> NONE = Future.succeededFuture(Optional.empty());
  private static final Future<Optional<ObjectNode>> SILENT =
      Future.failedFuture("node c does not answer within 2000 ms");

  private static Member member(String name) {
    return new Member(name, "boot-" + name, Instant.EPOCH, Map.of());
  }

  private static Future<Optional<ObjectNode>> has(String state) {
    return Future.succeededFuture(
        Optional.of(JsonNodeFactory.instance.objectNode().put("state", state)));
  }

  private static Future<Optional<ObjectNode>> asked(
      Future<Optional<ObjectNode>> first, Future<Optional<ObjectNode>> second, int unasked) {
    return CellActors.found(PATH, ASKED, List.of(first, second), unasked);
  }

  @Test
  void anActorIsFoundOnTheNodeThatHasIt() {
    assertThat(await(asked(NONE, has("RUNNING"), 0))).isPresent();
    assertThat(await(asked(has("FAILED"), SILENT, 7))).isPresent();
  }

  @Test
  void anActorDoesNotExistIfAllNodesHaveAnsweredSo() {
    assertThat(await(asked(NONE, NONE, 0))).isEmpty();
    assertThat(await(asked(has("ELSEWHERE"), NONE, 0))).as("known there, but not there").isEmpty();
  }

  @Test
  void anActorIsNotReportedMissingWhileANodeIsSilent() {
    assertThat(asked(NONE, SILENT, 0).cause())
        .isInstanceOfSatisfying(
            CallboardException.class,
            cause -> assertThat(cause.code()).isEqualTo(CallboardException.Code.UNAVAILABLE))
        .hasMessage("no node that answers has /shop/till; no answer from: c");
  }

  @Test
  void anActorIsNotReportedMissingWhileANodeWasNotAsked() {
    assertThat(asked(NONE, NONE, 3).cause())
        .hasMessageContaining("no answer from: none; 3 nodes were not asked, of at most 50");
  }
}
