package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.SampleActors;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** States that an operator has made again, or set back, over REST. */
@Tag("real")
class StateCorrectionTest {
  record Add(int amount) {}

  record Added(int amount) {}

  record Sum(int total) {}

  private static volatile int factor = 1;

  static final class Pot extends PersistentActor<Add, Added, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0);
    }

    @Override
    protected Sum apply(Sum sum, Added added) {
      return new Sum(sum.total() + factor * added.amount());
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            persist(new Added(add.amount()));
            reply(state());
          });
    }
  }

  @AutoClose private final TestNode node = TestNode.start();

  @BeforeEach
  void start() {
    factor = 1;
    await(node.callboard.spawn("/pot", Pot::new));
    await(node.callboard.spawn("/jar", SampleActors.Counter::new));
  }

  private int add(int amount) {
    return await(node.callboard.durableRef("/pot", Add.class).ask(new Add(amount), Sum.class))
        .total();
  }

  private JsonNode done(String path, String body) {
    HttpResponse<String> response = node.post("/api/v1/actors" + path, body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return json(response);
  }

  private void refused(String path, String body, int status, String why) {
    HttpResponse<String> response = node.post("/api/v1/actors" + path, body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.body()).contains(why);
  }

  @Test
  void aStateIsMadeAgainOrSetBack() {
    assertThat(add(1) + add(2) + add(3)).isEqualTo(1 + 3 + 6);
    factor = 10;
    assertThat(done("/pot/refold", "{\"why\":\"ten\"}").path("path").asText()).isEqualTo("/pot");
    assertThat(add(0)).isEqualTo(60);
    var unused = done("/pot/restore", "{\"event\":2}");
    assertThat(add(0)).isEqualTo(30);
    unused = done("/pot/refold", "{}");
    assertThat(add(1)).isEqualTo(40);
    Eventually.assertThat(
        () ->
            assertThat(json(node.get("/api/v1/audit")).path("items").findValuesAsText("detail"))
                .contains("refold, because \"ten\"", "restore to event 2"));
  }

  @Test
  void anImpossibleCorrectionIsRefused() {
    assertThat(add(1)).isEqualTo(1);
    refused("/pot/restore", "{\"event\":2}", 409, "there is none, its last is event 1");
    refused("/pot/restore", "{\"event\":-1}", 422, "event");
    refused("/pot/restore", "{}", 422, "event");
    refused("/jar/refold", "{}", 422, "/jar has no events to restore from");
    refused("/jar/refold", "{}", 422, "\"code\":\"NO_EVENTS\"");
    String tooLong = "{\"why\":\"%s\"}".formatted("x".repeat(1_001));
    refused("/pot/refold", tooLong, 422, "\"code\":\"INVALID\"");
    refused("/nobody/refold", "{}", 404, "there is no actor /nobody");
    assertThat(add(1)).isEqualTo(2);
  }
}
