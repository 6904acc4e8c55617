package io.callboard.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnhandledTest {
  private static final Partition SOME = new Partition("s", 1);
  private static final Partition OTHER = new Partition("s", 2);
  private static final ActorPath A = ActorPath.of("/s/a");
  private static final ActorPath B = ActorPath.of("/s/b");
  private static final long GRACE = Duration.ofSeconds(10).toNanos();

  private final Unhandled unhandled = new Unhandled(Duration.ofSeconds(10));

  @Test
  void whatLastsIsToldAndWhatWasMendedIsNot() {
    unhandled.saw(SOME, List.of(A, B), 0);
    unhandled.saw(SOME, List.of(A, B), GRACE - 1);
    assertThat(unhandled.snapshot()).isEmpty();
    unhandled.saw(SOME, List.of(A), GRACE);
    assertThat(unhandled.snapshot()).containsExactly(A);
    unhandled.saw(SOME, List.of(A, B), GRACE + 1);
    assertThat(unhandled.snapshot()).as("b was away between").containsExactly(A);
    unhandled.saw(SOME, List.of(), GRACE + 2);
    assertThat(unhandled.snapshot()).isEmpty();
    unhandled.saw(SOME, List.of(A), GRACE + 3);
    assertThat(unhandled.snapshot()).as("from the beginning").isEmpty();
  }

  @Test
  void whatThisNodeOwnsNoMoreIsTheOthersBusiness() {
    for (Partition each : List.of(SOME, OTHER)) {
      unhandled.saw(each, List.of(A), 0);
      unhandled.saw(each, List.of(A), GRACE);
    }
    unhandled.lost(SOME);
    assertThat(unhandled.snapshot()).containsExactly(A);
    unhandled.lost(OTHER);
    assertThat(unhandled.snapshot()).isEmpty();
  }

  @Test
  void aFewAreKnownByName() {
    List<ActorPath> many =
        IntStream.range(0, 10 * Unhandled.MOST).mapToObj(i -> ActorPath.of("/s/x" + i)).toList();
    unhandled.saw(SOME, many, 0);
    unhandled.saw(SOME, many, GRACE);
    assertThat(unhandled.snapshot()).hasSize(Unhandled.MOST);
  }
}
