package io.callboard.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.callboard.testkit.LogCapture;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class EventKeeperTest {
  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
  private static final Partition ROLE = Partition.ofRole(GridMonitor.ROLE);

  private static final List<String> DAMAGED =
      List.of(
          "{",
          "{\"f\":1}",
          "{\"f\":2,\"events\":[]}",
          "[]",
          "{\"f\":1,\"events\":[null],\"members\":{},\"holders\":{},\"noted\":{}}",
          "{\"f\":1,\"events\":[],\"members\":{\"b\":null},\"holders\":{},\"noted\":{}}",
          "{\"f\":1,\"events\":[{\"id\":\"e\",\"kind\":\"k\",\"subject\":\"s\",\"detail\":\"\"}],\"members\":{},\"holders\":{},\"noted\":{}}");

  private Lease lease = lease("a", 1);
  private Optional<byte[]> document = Optional.empty();
  private int writes;
  private boolean away;

  private static Lease lease(String node, long epoch) {
    return new Lease(ROLE, epoch, node, "boot-" + node, (int) epoch, "", NOW);
  }

  private Future<Void> write(Lease by, byte[] bytes) {
    if (away) {
      return Future.failedFuture(StoreException.unavailable("no quorum", null));
    } else if (!by.equals(lease)) {
      return Future.failedFuture(StoreException.conflict("another holder"));
    }
    writes++;
    document = Optional.of(bytes);
    return Future.succeededFuture();
  }

  private EventKeeper keeper(String node) {
    return new EventKeeper("boot-" + node, () -> Future.succeededFuture(document), this::write);
  }

  private static GridEvent event(int number) {
    return new GridEvent(
        "e" + number, NOW.plusSeconds(number), GridEvent.TYPE_PAUSED, "t" + number, "");
  }

  private void look(EventKeeper keeper, int... found) {
    look(keeper, lease, null, found);
  }

  private static void look(
      EventKeeper keeper, Lease seen, @Nullable EventLog before, int... found) {
    Future<Void> done =
        keeper.look(
            Map.of(ROLE, seen),
            before,
            log -> {
              EventLog now = log;
              for (int number : found) {
                now = now.with(List.of(event(number)));
              }
              return now;
            });
    assertThat(done.succeeded()).isTrue();
  }

  private List<String> stored() {
    return StoredEvents.decode(document.orElseThrow()).events().stream()
        .map(GridEvent::id)
        .toList();
  }

  @Test
  void theNextHolderGoesOnWithWhatTheFormerOneStored() {
    look(keeper("a"), 1, 2);
    lease = lease("b", 2);
    look(keeper("b"), 3);
    assertThat(stored()).containsExactly("e1", "e2", "e3");
  }

  @Test
  void aFormerHolderChangesNothingThoughItDoesNotKnowYet() {
    EventKeeper former = keeper("a");
    look(former, 1);
    Lease old = lease;
    lease = lease("b", 2);
    look(keeper("b"), 2);
    look(former, old, null, 7);
    assertThat(stored()).containsExactly("e1", "e2");
    look(former, lease, null, 8);
    assertThat(stored()).as("it knows, and does not try").containsExactly("e1", "e2");
  }

  @Test
  void aHolderThatComesBackReadsWhatOthersStoredMeanwhile() {
    EventKeeper first = keeper("a");
    look(first, 1);
    lease = lease("b", 2);
    look(keeper("b"), 2);
    lease = lease("a", 3);
    look(first, 3);
    assertThat(stored()).containsExactly("e1", "e2", "e3");
  }

  @Test
  void theLogOfAFormerEpochIsNeverWrittenThoughTheNextLookFails() {
    EventKeeper first = keeper("a");
    look(first, 1);
    lease = lease("b", 2);
    look(keeper("b"), 2);
    lease = lease("a", 3);
    Future<Void> failed =
        first.look(
            Map.of(ROLE, lease),
            null,
            log -> {
              throw new IllegalStateException("no look");
            });
    assertThat(failed.succeeded()).isTrue();
    assertThat(first.hasKept()).isFalse();
    look(first, 3);
    assertThat(stored()).containsExactly("e1", "e2", "e3");
  }

  @Test
  void nothingIsWrittenWhileNothingHappens() {
    EventKeeper keeper = keeper("a");
    look(keeper, 1);
    for (int i = 0; i < 100; i++) {
      look(keeper);
    }
    assertThat(writes).isEqualTo(1);
    assertThat(keeper.hasKept()).isTrue();
  }

  @Test
  void aLogThatCouldNotBeWrittenIsWrittenAtTheNextLook() {
    EventKeeper keeper = keeper("a");
    away = true;
    try (LogCapture log = LogCapture.of(EventKeeper.class)) {
      look(keeper, 1);
      look(keeper, 2);
      assertThat(log.lines()).hasSize(1);
      assertThat(log.expect(Level.WARN, "no quorum")).isNotNull();
    }
    assertThat(keeper.hasKept()).isFalse();
    away = false;
    look(keeper);
    assertThat(stored()).containsExactly("e1", "e2");
  }

  @Test
  void aDocumentThatCannotBeReadIsNotOverwritten() {
    for (String text : DAMAGED) {
      document = Optional.of(text.getBytes(StandardCharsets.UTF_8));
      EventKeeper keeper = keeper("a");
      try (LogCapture log = LogCapture.of(EventKeeper.class)) {
        look(keeper, 1);
        look(keeper, 2);
        assertThat(log.lines()).as(text).hasSize(1);
        assertThat(log.expect(Level.WARN, "the events of the cell are not kept")).isNotNull();
      }
      assertThat(document.orElseThrow()).asString(StandardCharsets.UTF_8).isEqualTo(text);
      assertThat(keeper.hasKept()).isFalse();
    }
  }

  @Test
  void aReaderOfADocumentThatCannotBeReadLearnsWhichItIs() {
    for (String text : DAMAGED) {
      assertThatThrownBy(() -> StoredEvents.decode(text.getBytes(StandardCharsets.UTF_8)))
          .as(text)
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT))
          .hasMessageContaining("the events of the cell (document of the role grid-monitor)");
    }
  }

  @Test
  void theEventsThatAnEarlierVersionKeptElsewhereAreTakenOver() {
    EventLog earlier =
        new EventLog(List.of(event(5)), Map.of("boot-x", "x"), Map.of(), Map.of("boot-x", 4L));
    EventKeeper first = keeper("a");
    look(first, lease, earlier, 6);
    assertThat(stored()).containsExactly("e5", "e6");
    EventLog read = StoredEvents.decode(document.orElseThrow());
    assertThat(read.members()).isEqualTo(earlier.members());
    assertThat(read.noted()).isEqualTo(earlier.noted());
    // an earlier version holds the role for a while, which knows nothing of the document
    lease = lease("c", 3);
    EventLog meanwhile = new EventLog(List.of(event(7)), Map.of("boot-y", "y"), Map.of(), Map.of());
    look(keeper("c"), lease, meanwhile);
    assertThat(stored()).containsExactly("e5", "e6", "e7");
    assertThat(StoredEvents.decode(document.orElseThrow()).members())
        .isEqualTo(meanwhile.members());
  }
}
