package io.callboard.archive;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.codecs.Json;
import io.callboard.feed.Feed;
import io.callboard.feed.FeedSink;
import io.callboard.feed.Feeds;
import io.callboard.journal.FeedEvent;
import io.callboard.journal.ReplayException;
import io.callboard.store.StoreException;
import io.callboard.testkit.Eventually;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of an archive, for any database. */
abstract class ArchiveCases extends FoldCases {
  @Test
  void hasTheWholeHistoryAlthoughTheJournalWasTrimmed() throws Exception {
    host();
    put("a", 1, 30);
    Eventually.assertThat(() -> assertThat(history("a")).hasSize(30));
    assertThat(history("a")).extracting(FeedEvent::number).isSorted().startsWith(1L).endsWith(30L);
    assertThat(history("a").get(4).event(Added.class)).isEqualTo(new Added(5));
    assertThat(await(archive.history("/pots/a", history("a").get(9).position(), 5)))
        .extracting(FeedEvent::number)
        .containsExactly(11L, 12L, 13L, 14L, 15L);
    assertThat(await(archive.history("/pots/nobody", 0, 10))).isEmpty();
    assertThat(audited("/pots/a")).isEqualTo(30);
  }

  private int audited(String actor) throws Exception {
    String select = "select count(*) from callboard_history where actor = ? and event_number > 0";
    return await(
        database.transaction(
            connection -> {
              try (PreparedStatement statement = connection.prepareStatement(select)) {
                statement.setString(1, actor);
                try (ResultSet row = statement.executeQuery()) {
                  return row.next() ? row.getInt(1) : 0;
                }
              }
            }));
  }

  @Test
  void tellsTheStateAsOfAnEventOrATime() throws Exception {
    host();
    put("a", 1, 10);
    Eventually.assertThat(() -> assertThat(history("a")).hasSize(10));
    assertThat(asOf("a", 4)).isEqualTo(10);
    assertThat(await(archive.stateAsOf("pots/a", Pot::new, 4)).total()).isEqualTo(10);
    assertThat(asOf("a", 10)).isEqualTo(55);
    Instant fifth = history("a").get(4).at();
    int until = (int) history("a").stream().filter(each -> !each.at().isAfter(fifth)).count();
    assertThat(await(archive.stateAsOf("/pots/a", Pot::new, fifth)).total())
        .isEqualTo(until * (until + 1) / 2);
    assertThat(await(archive.stateAsOf("/pots/a", Pot::new, Instant.EPOCH)).total()).isZero();
    assertThatThrownBy(() -> asOf("a", 11)).hasMessageContaining("event 11 of /pots/a");
  }

  @Test
  void anActorThatBeganAnewHasTwoLives() throws Exception {
    host();
    put("a", 1, 3);
    await(pot("a").tell(new Order.End()));
    put("a", 10, 11);
    Eventually.assertThat(() -> assertThat(history("a")).hasSize(6));
    assertThat(history("a"))
        .extracting(each -> each.number() + " " + each.type())
        .containsExactly(
            "1 added", "2 added", "3 added", "0 callboard..ended", "1 added", "2 added");
    assertThat(asOf("a", 2)).as("of the last life").isEqualTo(21);
    assertThat(asOf("a", 3)).as("of the life before").isEqualTo(6);
    assertThat(await(archive.stateAsOf("/pots/a", Pot::new, history("a").get(3).at())).total())
        .isIn(0, 10, 21); // the clock may not have ticked between
  }

  @Test
  void anActorNotArchivedFromItsFirstEventHasNoStateToTell() throws Exception {
    await(Feeds.host(callboard, archive.sink()));
    await(callboard.spawn("/pots/a", Pot::new));
    put("a", 1, 2);
    Eventually.assertThat(() -> assertThat(read("pot")).hasSize(2));
    await(callboard.stop("/pots/a"));
    await(callboard.spawn("/pots/a", Pot::new, ARCHIVED));
    put("a", 3, 3);
    Eventually.assertThat(() -> assertThat(history("a")).hasSize(1));
    assertThatThrownBy(() -> asOf("a", 3))
        .isInstanceOf(ReplayException.class)
        .hasMessageContaining("event 3 (\"added\" version 1) of /pots/a")
        .hasMessageContaining("the event before it is number 0");
  }

  @Test
  void aProjectionAppliesEachEventOnce() throws Exception {
    host();
    Pots pots = new Pots();
    await(archive.project(callboard, pots));
    for (int i = 1; i <= 20; i++) {
      await(pot("p" + i % 4).tell(new Order.Put(i)));
      pots.failures = i % 5 == 0 ? 1 : 0;
    }
    Map<String, Integer> expected =
        Map.of("/pots/p0", 60, "/pots/p1", 45, "/pots/p2", 50, "/pots/p3", 55);
    Eventually.assertThat(() -> assertThat(totals()).isEqualTo(expected));
    ProjectionStatus status = await(archive.status("pots"));
    assertThat(status).isEqualTo(new ProjectionStatus("pots", "pot", 20, 20, status.oldest()));
    assertThat(status.lag()).isZero();
    assertThat(status.oldest()).isEmpty();
  }

  @Test
  void aProjectionIsRebuiltFromTheFirstEvent() throws Exception {
    host();
    Pots pots = new Pots();
    await(archive.project(callboard, pots));
    put("a", 1, 10);
    Eventually.assertThat(() -> assertThat(totals()).containsEntry("/pots/a", 55));
    pots.factor = 2;
    await(archive.rebuild(pots));
    Eventually.assertThat(() -> assertThat(totals()).containsEntry("/pots/a", 110));
  }

  @Test
  void aLagIsSeen() throws Exception {
    host();
    Pots pots = new Pots();
    pots.failures = Integer.MAX_VALUE;
    await(archive.project(callboard, pots));
    put("a", 1, 7);
    Eventually.assertThat(() -> assertThat(archive.status("pots").await().lag()).isEqualTo(7));
    assertThat(await(archive.status("pots")).oldest()).contains(read("pot").get(0).at());
    assertThat(totals()).isEmpty();
    assertThatThrownBy(() -> await(archive.status("pats")))
        .hasMessageContaining("there is no projection \"pats\"");
  }

  @Test
  void anotherCellsDatabaseIsRefused() throws Exception {
    host();
    put("a", 1, 3);
    Eventually.assertThat(() -> assertThat(history("a")).hasSize(3));
    FeedEvent third = history("a").get(2);
    FeedEvent behind = at(third, third.position() + 2, "/pots/a");
    assertThatThrownBy(() -> await(archive.sink().write(List.of(behind), true)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("has position 5, but the archive ends with 3");
    assertThatThrownBy(() -> await(archive.sink().write(List.of(at(third, 3, "/pots/b")), false)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("it is the archive of another cell");
    await(archive.sink().write(List.of(third, at(third, 4, "/pots/b")), false));
    assertThat(history("b")).hasSize(1);
  }

  @Test
  void aFeedThatBeganWithoutAnArchiveGoesOnInOne() throws Exception {
    await(callboard.host("/pots", Pot::new, new ActorOptions()));
    await(Feeds.host(callboard, FeedSink.NONE));
    put("a", 1, 3);
    Eventually.assertThat(() -> assertThat(position()).isEqualTo(3));
    await(callboard.close());
    callboard = await(create(cell));
    await(callboard.host("/pots", Pot::new, new ActorOptions()));
    await(Feeds.host(callboard, archive.sink()));
    put("a", 4, 5);
    Eventually.assertThat(() -> assertThat(read("pot")).hasSize(2));
    assertThat(read("pot").get(0).position()).isEqualTo(4);
    await(callboard.close());
    callboard = await(create(cell));
    await(callboard.host("/pots", Pot::new, new ActorOptions()));
    await(Feeds.host(callboard, FeedSink.NONE));
    put("a", 6, 6);
    Eventually.assertThat(() -> assertThat(whyInterrupted()).contains("but this node has none"));
    assertThat(read("pot")).as("it waits").hasSize(2);
    await(callboard.close());
    callboard = await(create(cell));
    await(Feeds.host(callboard, archive.sink()));
    Eventually.assertThat(() -> assertThat(read("pot")).hasSize(3));
  }

  private long position() {
    return Feeds.ref(callboard, "pot")
        .ask(new Feed.Look(), Feed.Status.class, Duration.ofSeconds(10))
        .await()
        .position();
  }

  private String whyInterrupted() {
    return callboard.admin().failures("/callboard/feed/pot").await().toString();
  }

  private static FeedEvent at(FeedEvent event, long position, String actor) {
    return new FeedEvent(
        event.feed(),
        position,
        actor,
        event.turn(),
        event.number(),
        event.at(),
        event.type(),
        event.version(),
        event.body());
  }

  @Test
  void aWriteToAnUnreachableDatabaseIsWorthATryAgain() throws Exception {
    await(archive.close());
    FeedEvent event =
        new FeedEvent("pot", 1, "/a", 1, 1, Instant.EPOCH, "added", 1, Json.tree(Map.of()));
    assertThatThrownBy(() -> await(archive.sink().write(List.of(event), true)))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE));
    archive = await(Archive.open(vertx, url));
  }
}
