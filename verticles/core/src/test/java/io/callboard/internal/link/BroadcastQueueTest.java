package io.callboard.internal.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.MessageType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BroadcastQueueTest {
  private static final MessageType TYPE = new MessageType("news", 1);

  private final BroadcastQueue queue = new BroadcastQueue();

  private static Broadcasts.News news(String name, @Nullable String key, int number) {
    return new Broadcasts.News(name, key, TYPE, new byte[] {(byte) number});
  }

  private static Broadcasts.News large(int bytes) {
    return new Broadcasts.News("a", null, TYPE, new byte[bytes]);
  }

  private List<Integer> taken() {
    List<Integer> numbers = new ArrayList<>();
    while (!queue.isEmpty()) {
      queue.take().forEach(each -> numbers.add((int) each.body()[0]));
    }
    return numbers;
  }

  @Test
  void keepsTheOrderAndOfAKeyTheLastInTheLastOnesPlace() {
    assertThat(queue.add(news("a", "k", 1))).isZero();
    assertThat(queue.add(news("a", null, 2))).isZero();
    assertThat(queue.add(news("b", "k", 3))).isZero();
    assertThat(queue.add(news("a", "k", 4))).isZero();
    assertThat(queue.add(news("a", null, 5))).isZero();
    assertThat(taken()).containsExactly(2, 3, 4, 5);
    assertThat(queue.take()).isEmpty();
  }

  @Test
  void theOldestMakeRoomForWhatIsOverTheNumber() {
    int dropped = 0;
    for (int n = 0; n < BroadcastQueue.MOST + 7; n++) {
      dropped += queue.add(news("a", "key " + n, n % 100));
    }
    assertThat(dropped).isEqualTo(7);
    assertThat(taken())
        .isEqualTo(IntStream.range(7, BroadcastQueue.MOST + 7).mapToObj(n -> n % 100).toList());
  }

  @Test
  void theOldestMakeRoomForWhatIsOverTheBytesAndFramesAreBounded() {
    int dropped = 0;
    for (int n = 0; n < 100; n++) {
      dropped += queue.add(large(100_000));
    }
    int frames = 0;
    int left = 0;
    while (!queue.isEmpty()) {
      List<Broadcasts.News> frame = queue.take();
      assertThat(frame.stream().mapToInt(Broadcasts.News::size).sum())
          .isLessThan(BroadcastQueue.FRAME_BYTES + 101_000);
      left += frame.size();
      frames++;
    }
    assertThat(left).isEqualTo(BroadcastQueue.MOST_BYTES / large(100_000).size());
    assertThat(dropped + left).isEqualTo(100);
    assertThat(frames).isEqualTo((left + 2) / 3);
    assertThat(queue.add(large(Broadcasts.MOST_BYTES))).as("what is taken counts no more").isZero();
  }
}
