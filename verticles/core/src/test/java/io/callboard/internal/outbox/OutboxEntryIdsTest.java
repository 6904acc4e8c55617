package io.callboard.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.store.ActorRecord;
import io.callboard.store.Consumed;
import io.callboard.store.Loaded;
import io.callboard.store.StoredRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OutboxEntryIdsTest {
  private static final long NOW = Instant.parse("2026-11-22T14:00:00Z").toEpochMilli();
  private static final long SAFE = 1L << 53;

  private static Loaded record(long given) {
    ActorRecord record = new ActorRecord(9, 1, Consumed.NOTHING, 0, 0, List.of(), given);
    return new Loaded(
        Optional.of(new StoredRecord(record, 3)),
        Loaded.NOTHING.journal(),
        Loaded.NOTHING.mail(),
        Loaded.NOTHING.header(),
        Loaded.NOTHING.outbox());
  }

  @Test
  void goOnBehindTheLastOneOfTheRecord() {
    OutboxEntryIds numbers = new OutboxEntryIds(record(77), NOW);
    assertThat(numbers.next()).isEqualTo(78);
    assertThat(numbers.next()).isEqualTo(79);
  }

  @Test
  void ofAnActorThatWasDeletedWithItsRecordAreNotGivenAgain() {
    OutboxEntryIds first = new OutboxEntryIds(Loaded.NOTHING, NOW);
    long last = 0;
    for (int i = 0; i < 100_000; i++) {
      last = first.next();
    }
    assertThat(new OutboxEntryIds(Loaded.NOTHING, NOW + 30_000).next()).isGreaterThan(last);
  }

  @Test
  void areWholeNumbersInJavaScriptForAsLongAsAnybodyCares() {
    long inAHundredYears = NOW + 100L * 366 * 86_400_000;
    assertThat(new OutboxEntryIds(Loaded.NOTHING, inAHundredYears).next()).isLessThan(SAFE);
    assertThat(new OutboxEntryIds(Loaded.NOTHING, 0).next()).isPositive();
  }
}
