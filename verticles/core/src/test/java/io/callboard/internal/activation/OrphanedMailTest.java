package io.callboard.internal.activation;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrphanedMailTest {
  private static final Partition SOME = new Partition("s", 1);
  private static final Partition OTHER = new Partition("s", 2);
  private static final ActorPath A = ActorPath.of("/s/a");
  private static final ActorPath B = ActorPath.of("/s/b");
  private static final long GRACE = Duration.ofSeconds(10).toNanos();

  private final OrphanedMail orphanedMail = new OrphanedMail(Duration.ofSeconds(10));

  @Test
  void onlyMailThatStaysOrphanedIsTold() {
    orphanedMail.saw(SOME, List.of(A, B), 0);
    orphanedMail.saw(SOME, List.of(A, B), GRACE - 1);
    assertThat(orphanedMail.snapshot()).isEmpty();
    orphanedMail.saw(SOME, List.of(A), GRACE);
    assertThat(orphanedMail.snapshot()).containsExactly(A);
    orphanedMail.saw(SOME, List.of(A, B), GRACE + 1);
    assertThat(orphanedMail.snapshot()).as("b was away between").containsExactly(A);
    orphanedMail.saw(SOME, List.of(), GRACE + 2);
    assertThat(orphanedMail.snapshot()).isEmpty();
    orphanedMail.saw(SOME, List.of(A), GRACE + 3);
    assertThat(orphanedMail.snapshot()).as("from the beginning").isEmpty();
  }

  @Test
  void mailOfPartitionsThatWereLostIsForgotten() {
    for (Partition each : List.of(SOME, OTHER)) {
      orphanedMail.saw(each, List.of(A), 0);
      orphanedMail.saw(each, List.of(A), GRACE);
    }
    orphanedMail.lost(SOME);
    assertThat(orphanedMail.snapshot()).containsExactly(A);
    orphanedMail.lost(OTHER);
    assertThat(orphanedMail.snapshot()).isEmpty();
  }

  @Test
  void aFewAreKnownByName() {
    List<ActorPath> many =
        IntStream.range(0, 10 * OrphanedMail.MOST).mapToObj(i -> ActorPath.of("/s/x" + i)).toList();
    orphanedMail.saw(SOME, many, 0);
    orphanedMail.saw(SOME, many, GRACE);
    assertThat(orphanedMail.snapshot()).hasSize(OrphanedMail.MOST);
  }
}
