package io.callboard.archive;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.Json;
import io.callboard.journal.FeedEvent;
import io.callboard.store.StoreException;
import io.callboard.store.memory.MemoryCell;
import io.callboard.testkit.Eventually;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A cell and an archive that do not belong together, because one of them was restored. */
abstract class RestoreCases extends ArchiveStage {
  @Test
  void everyEventThatIsWrittenAgainIsComparedWhole() throws Exception {
    host();
    put("a", 1, 5);
    Eventually.assertThat(() -> assertThat(history("a")).hasSize(5));
    List<FeedEvent> again = new ArrayList<>(history("a"));
    await(archive.sink().write(again, false));
    again.set(3, body(again.get(3), new Added(400)));
    assertThatThrownBy(() -> await(archive.sink().write(again, false)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("position 4 of feed archive")
        .hasMessageContaining("event 4 of /pots/a")
        .hasMessageContaining("callboard archive");
    assertThat(history("a").get(3).event(Added.class)).isEqualTo(new Added(4));
  }

  @Test
  void aCellThatWentBackWritesNothingOverTheArchive() throws Exception {
    host();
    put("a", 1, 5);
    Eventually.assertThat(() -> assertThat(history("a")).hasSize(5));
    await(callboard.close());
    callboard = await(create(new MemoryCell())); // as of before the first event
    host();
    put("a", 70, 79);
    Eventually.assertThat(
        () ->
            assertThat(callboard.admin().failures("/callboard/feed/archive").await().toString())
                .contains("position 1 of feed archive"));
    assertThat(history("a")).hasSize(5);
  }

  @Test
  void cutBackToTheCellItGoesOnAndSoDoProjections() throws Exception {
    host();
    Pots pots = new Pots();
    await(archive.project(callboard, pots));
    put("a", 1, 5);
    Eventually.assertThat(() -> assertThat(history("a")).hasSize(5));
    Eventually.assertThat(() -> assertThat(totals()).containsEntry("/pots/a", 15));
    await(callboard.close());
    FeedCut would = await(archive.ahead("archive", 2));
    assertThat(would.events()).isEqualTo(3);
    assertThat(would.actors()).isEqualTo(1);
    assertThat(would.oldest()).contains(history("a").get(2).at());
    assertThat(would.newest()).contains(history("a").get(4).at());
    assertThat(await(archive.ahead("pot", 0)).projections()).containsExactly("pots");
    for (String feed : List.of("archive", "pot")) {
      assertThat(await(archive.cut(feed, () -> 0, Instant.EPOCH)).events()).isEqualTo(5);
    }
    assertThat(await(archive.positions())).isEmpty();
    callboard = await(create(new MemoryCell())); // as of before the first event
    host();
    await(archive.project(callboard, pots));
    put("a", 70, 71);
    Eventually.assertThat(() -> assertThat(totals()).isEqualTo(Map.of("/pots/a", 141)));
    Eventually.assertThat(() -> assertThat(history("a")).hasSize(2)); // of another feed
    assertThat(asOf("a", 2)).isEqualTo(141);
    assertThat(await(archive.positions())).isEqualTo(Map.of("archive", 2L, "pot", 2L));
    assertThat(count("callboard_cut_event")).isEqualTo(10);
  }

  @Test
  void aCutWhileTheFeedGoesOnChangesNothing() throws Exception {
    host();
    put("a", 1, 3);
    Eventually.assertThat(() -> assertThat(history("a")).hasSize(3));
    AtomicInteger position = new AtomicInteger();
    assertThatThrownBy(
            () -> await(archive.cut("archive", position::incrementAndGet, Instant.EPOCH)))
        .hasMessageContaining("stop all nodes");
    assertThat(history("a")).hasSize(3);
    assertThat(count("callboard_cut_event")).isZero();
  }

  @Test
  void aProjectionThatCannotBeEmptiedSaysSoAfterACut() throws Exception {
    host();
    put("a", 1, 3);
    Eventually.assertThat(() -> assertThat(read("pot")).hasSize(3));
    Projection fixed =
        new Projection() {
          @Override
          public String name() {
            return "fixed";
          }

          @Override
          public String feed() {
            return "pot";
          }

          @Override
          public void apply(Connection connection, FeedEvent event) {}
        };
    await(archive.project(callboard, fixed));
    Eventually.assertThat(() -> assertThat(archive.status("fixed").await().lag()).isZero());
    await(callboard.close());
    assertThat(await(archive.cut("pot", () -> 2, Instant.EPOCH)).projections())
        .containsExactly("fixed");
    assertThatThrownBy(() -> await(database.transaction(c -> ProjectionTable.step(c, fixed))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("fixed has applied events of feed pot that were cut")
        .hasMessageContaining("override reset");
  }

  private static FeedEvent body(FeedEvent event, Object body) {
    return new FeedEvent(
        event.feed(),
        event.position(),
        event.actor(),
        event.turn(),
        event.number(),
        event.at(),
        event.type(),
        event.version(),
        Json.tree(body));
  }
}
