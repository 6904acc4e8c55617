package io.callboard.pollers.internal.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.testkit.Futures;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A broker that does not answer, for a while. */
@Tag("long")
@Tag("real")
class KafkaOutageTest extends KafkaStage {
  @Test
  void whileTheBrokerHangsCallsFailInTimeAndAfterwardsGoOn() throws Exception {
    topic(1, "m0", "m1");
    JsonObject settings = settings();
    settings.getJsonObject("client").put("session.timeout.ms", 30_000);
    Source source = open(settings);
    List<SourceMessage> taken = take(source, 2);
    List<String> one = receipts(taken.subList(0, 1));
    server.freeze();
    try {
      assertThatThrownBy(() -> poll(source, 1))
          .isInstanceOf(SourceException.class)
          .hasMessageContaining("gives nothing");
      assertThatThrownBy(() -> Futures.await(PATIENCE, source.complete(one)))
          .isInstanceOf(SourceException.class)
          .hasMessageContaining("cannot commit");
    } finally {
      server.thaw();
    }
    Futures.await(PATIENCE, source.complete(one));
    complete(source, taken);
    Futures.await(PATIENCE, source.close());
    assertAllIsDone(open(settings));
  }
}
