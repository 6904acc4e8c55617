package io.callboard.pollers.internal.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import io.callboard.pollers.internal.rabbitmq.Unacknowledged.Ack;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnacknowledgedTest {
  private final Unacknowledged open = new Unacknowledged();

  private String add(long tag) {
    return open.add(
        new Delivery(new Envelope(tag, false, "", "q"), new BasicProperties(), new byte[0]));
  }

  @Test
  void oneAcknowledgementIsForAllBelowTheFirstOpen() {
    for (long tag = 1; tag <= 6; tag++) {
      assertThat(add(tag)).isEqualTo(String.valueOf(tag));
    }
    assertThat(open.acknowledge(List.of("2", "1", "5", "1", "99")))
        .containsExactly(new Ack(2, true), new Ack(5, false));
    assertThat(open.acknowledge(List.of("4"))).containsExactly(new Ack(4, false));
    assertThat(open.acknowledge(List.of("1", "4"))).isEmpty();
    assertThat(open.acknowledge(List.of("3", "6"))).containsExactly(new Ack(6, true));
  }

  /** Against a model of the server's side. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void acknowledgesExactlyWhatIsDone(long seed) {
    Random random = new Random(seed);
    TreeSet<Long> server = new TreeSet<>();
    TreeSet<Long> client = new TreeSet<>();
    long tag = 0;
    for (int i = 0; i < 1_000; i++) {
      for (int n = random.nextInt(4); n > 0; n--) {
        tag++;
        add(tag);
        server.add(tag);
        client.add(tag);
      }
      List<String> done = new ArrayList<>();
      for (long each : List.copyOf(client)) {
        if (random.nextInt(5) == 0) {
          done.add(String.valueOf(each));
          client.remove(each);
        }
      }
      if (random.nextInt(5) == 0) {
        server.removeAll(open.remove(done));
      } else {
        for (Ack ack : open.acknowledge(done)) {
          assertThat(server).as("unknown tags close a channel").contains(ack.tag());
          if (ack.multiple()) {
            server.headSet(ack.tag(), true).clear();
          } else {
            server.remove(ack.tag());
          }
        }
      }
      assertThat(server).isEqualTo(client);
    }
  }
}
