package io.callboard.dashboard.internal.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.dashboard.internal.live.ClientSession.Effect;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientSessionTest {
  private final ClientSession session = new ClientSession("WELCOME", 0);
  private final View view =
      new View(new LiveTopic("jobs", () -> Future.succeededFuture(Map.of()), 1, true));

  private static Map<String, ObjectNode> rows(Object... keysAndValues) {
    Map<String, ObjectNode> rows = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      rows.put(
          (String) keysAndValues[i],
          JsonNodeFactory.instance.objectNode().put("n", (int) keysAndValues[i + 1]));
    }
    return rows;
  }

  private void change(Object... keysAndValues) {
    session.changed(view, view.replace(rows(keysAndValues)));
  }

  private void subscribed() {
    assertThat(session.receive("{\"t\":\"hello\"}")).containsExactly(new Effect.Send("WELCOME"));
    assertThat(
            session.receive(
                "{\"t\":\"sub\",\"id\":7,\"topic\":\"jobs\",\"q\":{\"state\":\"DEAD\"}}"))
        .singleElement()
        .isInstanceOfSatisfying(
            Effect.Open.class,
            open -> {
              assertThat(open.id()).isEqualTo(7);
              assertThat(open.topic()).isEqualTo("jobs");
              assertThat(open.query().path("state").asText()).isEqualTo("DEAD");
            });
    session.attach(7, view);
  }

  private static Effect send(String frame) {
    return new Effect.Send(frame);
  }

  @Test
  void aClientMustSayHelloFirst() {
    assertThat(session.receive("{\"t\":\"sub\",\"id\":1,\"topic\":\"jobs\"}").toString())
        .contains("HELLO_FIRST");
  }

  @Test
  void aSubscriptionGetsAllRowsAndThenTheChanges() {
    subscribed();
    assertThat(session.tick(0, true)).isEmpty();
    change("a", 1, "b", 1);
    assertThat(session.flush(true))
        .containsExactly(
            send(
                "{\"t\":\"snap\",\"id\":7,\"seq\":1,\"rows\":[{\"n\":1,\"key\":\"a\"},{\"n\":1,\"key\":\"b\"}]}"));
    change("a", 2, "c", 1);
    assertThat(session.tick(1_000, true))
        .containsExactly(
            send(
                "{\"t\":\"delta\",\"id\":7,\"seq\":2,\"up\":{\"a\":{\"n\":2,\"key\":\"a\"},\"c\":{\"n\":1,\"key\":\"c\"}},\"del\":[\"b\"]}"));
  }

  @Test
  void showsThatItIsAliveWhenNothingChanged() {
    subscribed();
    change("a", 1);
    assertThat(session.tick(0, true)).hasSize(1);
    assertThat(session.tick(1_000, true))
        .containsExactly(send("{\"t\":\"delta\",\"id\":7,\"seq\":1,\"up\":{},\"del\":[]}"));
  }

  @Test
  void tellsOnlyTheLastValueToASlowClient() {
    subscribed();
    change("a", 1, "b", 1);
    assertThat(session.tick(0, true)).hasSize(1);
    change("a", 2);
    assertThat(session.tick(1_000, false)).isEmpty();
    change("a", 3, "b", 5);
    assertThat(session.tick(2_000, false)).isEmpty();
    assertThat(session.tick(3_000, true))
        .containsExactly(
            send(
                "{\"t\":\"delta\",\"id\":7,\"seq\":3,\"up\":{\"a\":{\"n\":3,\"key\":\"a\"},\"b\":{\"n\":5,\"key\":\"b\"}},\"del\":[]}"));
  }

  @Test
  void aClientThatTakesNothingIsGivenUp() {
    subscribed();
    assertThat(session.tick(0, false)).isEmpty();
    assertThat(session.tick(30_000, false)).isEmpty();
    assertThat(session.tick(30_001, false).toString()).contains("4008");
    assertThat(session.tick(40_000, true)).containsExactly(new Effect.Ping());
    assertThat(session.tick(50_000, false)).isEmpty();
  }

  @Test
  void tooManyPendingChangesBecomeAGap() {
    subscribed();
    change("a", 1);
    assertThat(session.tick(0, true)).hasSize(1);
    for (int i = 0; i <= Subscription.MOST_CHANGES; i++) {
      change("k" + i, 1);
    }
    assertThat(session.tick(1_000, true))
        .containsExactly(
            send("{\"t\":\"gap\",\"id\":7}"),
            send("{\"t\":\"snap\",\"id\":7,\"seq\":1002,\"rows\":[{\"n\":1,\"key\":\"k1000\"}]}"));
  }

  @Test
  void aFailureIsSentOnceAndAllRowsWhenItIsOver() {
    subscribed();
    change("a", 1);
    assertThat(session.tick(0, true)).hasSize(1);
    view.failed("UNAVAILABLE", "no quorum");
    assertThat(session.tick(1_000, true))
        .containsExactly(
            send("{\"t\":\"error\",\"id\":7,\"code\":\"UNAVAILABLE\",\"detail\":\"no quorum\"}"));
    assertThat(session.tick(2_000, true)).isEmpty();
    change("a", 1);
    assertThat(session.tick(3_000, true).toString()).contains("\"t\":\"snap\"");
  }

  @Test
  void endsASubscription() {
    subscribed();
    assertThat(session.receive("{\"t\":\"unsub\",\"id\":7}"))
        .containsExactly(new Effect.Left(view));
    assertThat(session.receive("{\"t\":\"unsub\",\"id\":7}")).isEmpty();
    change("a", 1);
    assertThat(session.tick(0, true)).isEmpty();
  }

  @Test
  void wrongMessagesAreRefused() {
    subscribed();
    assertThat(session.receive("{").toString()).contains("MALFORMED");
    for (String wrong : List.of("[]", "null", "7", "{}", "{\"t\":\"later\"}")) {
      assertThat(session.receive(wrong).toString()).as(wrong).contains("MALFORMED");
    }
    assertThat(session.receiveBinary().toString()).contains("MALFORMED");
    assertThat(session.receive("{\"t\":\"sub\",\"topic\":\"jobs\"}").toString())
        .contains("MALFORMED");
    assertThat(session.receive("{\"t\":\"sub\",\"id\":\"1\",\"topic\":\"jobs\"}").toString())
        .contains("MALFORMED");
    assertThat(session.receive("{\"t\":\"sub\",\"id\":7,\"topic\":\"jobs\"}").toString())
        .contains("ID_TAKEN");
    for (int id = 100; id < 100 + ClientSession.MOST_SUBSCRIPTIONS - 1; id++) {
      session.attach(id, view);
    }
    assertThat(session.receive("{\"t\":\"sub\",\"id\":8,\"topic\":\"jobs\"}").toString())
        .contains("TOO_MANY");
    assertThat(session.receive("x".repeat(10_000)).toString()).contains("1009");
  }

  @Test
  void aClientThatSaysNoHelloIsGivenUp() {
    assertThat(session.tick(10_000, true)).isEmpty();
    assertThat(session.tick(10_001, true).toString()).as("nothing said").contains("1008");
  }

  @Test
  void aClientThatAnswersNoPingIsGivenUp() {
    subscribed();
    assertThat(session.tick(20_000, true)).containsExactly(new Effect.Ping());
    assertThat(session.tick(21_000, true)).as("not before the next is due").isEmpty();
    assertThat(session.tick(40_000, true)).containsExactly(new Effect.Ping());
    session.pong();
    assertThat(session.tick(60_000, true)).as("it answered").containsExactly(new Effect.Ping());
    assertThat(session.tick(80_000, true)).containsExactly(new Effect.Ping());
    assertThat(session.tick(100_000, true).toString()).as("two unanswered").contains("4008");
  }

  @Test
  void limitsMessagesBetweenTicks() {
    List<Effect> last = List.of();
    for (int i = 0; i <= ClientSession.MOST_MESSAGES; i++) {
      last = session.receive("{\"t\":\"hello\"}");
    }
    assertThat(last.toString()).contains("1008");
    assertThat(session.tick(0, true)).isEmpty();
    assertThat(session.receive("{\"t\":\"hello\"}")).containsExactly(send("WELCOME"));
  }

  @Test
  void pingsCountForTheLimitOfMessages() {
    for (int i = 0; i < ClientSession.MOST_MESSAGES; i++) {
      assertThat(session.receivePing()).isEmpty();
    }
    assertThat(session.receivePing())
        .containsExactly(new Effect.Close(ClientSession.CLOSE_POLICY, "too many messages"));
    List<Effect> unused = session.tick(1, true);
    assertThat(session.receivePing()).isEmpty();
  }
}
