package io.callboard.pollers.internal.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.testkit.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that does not answer, for a while. */
@Tag("long")
@Tag("real")
class RabbitmqOutageTest extends RabbitmqStage {
  @Test
  void whileItHangsCallsFailInTimeAndNothingIsLost() throws Exception {
    plain.declare(queue, Map.of());
    plain.send(queue, texts(2));
    Source source = open(settings());
    List<SourceMessage> taken = take(source, 2);
    server.freeze();
    try {
      assertFails(source.complete(receipts(taken.subList(0, 1))), "cannot acknowledge");
      await(source.close());
    } finally {
      server.thaw();
    }
    Source next = open(settings());
    List<String> again = new ArrayList<>();
    Eventually.assertThat(
        () -> {
          await(next.poll(2)).forEach(each -> again.add(each.id()));
          assertThat(again).contains(taken.get(1).id());
        });
  }
}
