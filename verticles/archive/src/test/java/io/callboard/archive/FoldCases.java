package io.callboard.archive;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.ActorPath;
import io.callboard.feed.Feeds;
import io.callboard.journal.FeedEvent;
import io.callboard.journal.ReplayException;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.StoredSnapshot;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An {@code apply} that was mended, or a state that is to be as it was once. */
abstract class FoldCases extends UpcastCases {
  record Sale(int cents) {}

  record Sold(int cents) {}

  record Tax(long total) {
    @Override
    public long total() {
      if (unwritable) {
        throw new IllegalStateException("it cannot be written now");
      }
      return total;
    }
  }

  /** {@code true} if the writing of a state as JSON fails. */
  private static volatile boolean unwritable;

  /** Interest in per cent: 2 is wrong, 20 is right. */
  private static int percent;

  private static int version;

  /** {@code true} if a start hangs for ever. */
  private static volatile boolean hangs;

  @BeforeEach
  void withTheMistake() {
    percent = 2;
    version = 1;
    unwritable = false;
    hangs = false;
  }

  static final class Till extends PersistentActor<Sale, Sold, Tax> {
    @Override
    protected Tax initial() {
      return new Tax(0);
    }

    @Override
    protected Tax apply(Tax tax, Sold sold) {
      return new Tax(tax.total + sold.cents() * percent / 100L);
    }

    @Override
    public int foldVersion() {
      return version;
    }

    @Override
    protected Future<?> started() {
      return hangs ? Promise.promise().future() : Future.succeededFuture();
    }

    @Override
    protected void protocol(Protocol<Sale> on) {
      on.message(
          Sale.class,
          sale -> {
            if (sale.cents() > 0) {
              persist(new Sold(sale.cents()));
            }
            reply(state());
          });
    }
  }

  private static final ActorOptions OFTEN =
      new ActorOptions()
          .archived(true)
          .snapshots(SnapshotPolicy.every(10).keep(1))
          .backoff(
              Backoff.exponential(
                  Duration.ofMillis(5), Duration.ofMillis(50), Backoff.Jitter.FULL));

  private Tax sell(String path, int times, int cents) throws Exception {
    Tax tax = new Tax(-1);
    for (int i = 0; i < times; i++) {
      tax = await(callboard.durableRef(path, Sale.class).ask(new Sale(cents), Tax.class));
    }
    return tax;
  }

  /** Sells 35 tickets at 1.00; the newest snapshot is of event 30. */
  private Tax sellWithSnapshots() throws Exception {
    for (long event = 10; event <= 30; event += 10) {
      var unused = sell("/till", 10, 100);
      isNewest(event); // made meanwhile, as of the event that was the last then
    }
    return sell("/till", 5, 100);
  }

  /** Waits until the newest snapshot is of that event. */
  private void isNewest(long event) {
    Eventually.assertThat(
        () ->
            assertThat(callboard.admin().stored("/till").await().orElseThrow().record().newest())
                .map(StoredSnapshot::event)
                .contains(event));
  }

  @Test
  void aMendedApplyReachesWhatIsBehindSnapshots() throws Exception {
    await(Feeds.host(callboard, archive.sink()));
    await(callboard.spawn("/till", Till::new, OFTEN));
    assertThat(sell("/till", 35, 100)).isEqualTo(new Tax(70));
    Eventually.assertThat(() -> assertThat(archived()).hasSize(35));
    await(callboard.stop("/till"));
    mend();
    await(callboard.spawn("/till", Till::new, OFTEN));
    assertThat(sell("/till", 1, 100)).isEqualTo(new Tax(720));
  }

  private void mend() {
    percent = 20;
    version = 2;
  }

  @Test
  void soItDoesWithoutAnArchiveWhereTheJournalIsWhole() throws Exception {
    ActorOptions kept =
        new ActorOptions(OFTEN).archived(false).snapshots(SnapshotPolicy.every(10).keep(9));
    await(callboard.spawn("/till", Till::new, kept));
    assertThat(sell("/till", 35, 100)).isEqualTo(new Tax(70));
    await(callboard.stop("/till"));
    mend();
    await(callboard.spawn("/till", Till::new, kept));
    assertThat(sell("/till", 1, 100)).isEqualTo(new Tax(720));
    Eventually.assertThat(
        () ->
            assertThat(callboard.admin().stored("/till").await().orElseThrow().record().snapshots())
                .extracting(StoredSnapshot::fold)
                .containsExactly(2));
    await(callboard.stop("/till"));
    percent = 50; // behind a snapshot of the right version
    await(callboard.spawn("/till", Till::new, kept));
    // of 35 events or of 36
    assertThat(sell("/till", 1, 0)).isIn(new Tax(720), new Tax(750));
  }

  @Test
  void aStartThatReadsNoEventsHasNoTimeForThem() throws Exception {
    await(Feeds.host(callboard, archive.sink()));
    ActorOptions soon = new ActorOptions(OFTEN).startTimeout(Duration.ofSeconds(1));
    await(callboard.spawn("/till", Till::new, OFTEN));
    assertThat(sell("/till", 10, 100)).isEqualTo(new Tax(20));
    isNewest(10);
    Eventually.assertThat(() -> assertThat(archived()).hasSize(10));
    await(callboard.stop("/till"));
    hangs = true;
    assertThatThrownBy(() -> await(callboard.spawn("/till", Till::new, soon)))
        .hasStackTraceContaining("did not end within 1000 ms");
    await(callboard.stop("/till"));
    mend(); // all of them are to be read
    assertThatThrownBy(
            () -> callboard.spawn("/till", Till::new, soon).await(1_500, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    await(callboard.stop("/till"));
  }

  @Test
  void anArchiveThatIsBehindIsWaitedFor() throws Exception {
    await(callboard.spawn("/till", Till::new, OFTEN)); // the feed waits
    assertThat(sell("/till", 35, 100)).isEqualTo(new Tax(70));
    await(Feeds.host(callboard, archive.sink()));
    Eventually.assertThat(() -> assertThat(archived()).hasSize(35));
    move("/later");
    await(callboard.stop("/till"));
    mend();
    assertThatThrownBy(() -> await(callboard.spawn("/till", Till::new, OFTEN)))
        .hasStackTraceContaining("the archive has the events of /till up to 5, but not yet event");
    move("/till");
    assertThat(sell("/till", 1, 100)).isEqualTo(new Tax(720));
  }

  private List<FeedEvent> archived() {
    return archive.history("/till", 0, Archive.MOST_EVENTS).await();
  }

  /** Events behind the fifth are another actor's now. */
  private void move(String to) throws Exception {
    int moved =
        await(
            database.transaction(
                connection -> {
                  try (PreparedStatement update =
                      connection.prepareStatement(
                          "update callboard_event set actor = ? where feed_position > 5")) {
                    update.setString(1, to);
                    return update.executeUpdate();
                  }
                }));
    assertThat(moved).isEqualTo(30);
  }

  @Test
  void whereEventsAreMissingTheStartFailsAndTheLowerVersionStillStarts() throws Exception {
    ActorOptions bare = new ActorOptions(OFTEN).archived(false);
    await(callboard.spawn("/till", Till::new, bare));
    assertThat(sellWithSnapshots()).isEqualTo(new Tax(70));
    await(callboard.stop("/till"));
    mend();
    assertThatThrownBy(() -> await(callboard.spawn("/till", Till::new, bare)))
        .hasStackTraceContaining(
            "event 1 of /till cannot be replayed: it is neither in the journal nor in the archive, which has no event of the actor");
    await(callboard.stop("/till"));
    version = 1;
    await(callboard.spawn("/till", Till::new, bare));
    // of the old snapshot, and five events after it
    assertThat(sell("/till", 1, 0)).isEqualTo(new Tax(60 + 5 * 20));
  }

  @Test
  void eventsOfALifeBeforeAreNotFolded() throws Exception {
    await(Feeds.host(callboard, archive.sink()));
    await(callboard.host("/pots", Pot::new, ARCHIVED));
    put("a", 1, 9);
    await(pot("a").tell(new Order.End()));
    put("a", 10, 30);
    Eventually.assertThat(() -> assertThat(history("a")).hasSize(31));
    long begun = callboard.admin().stored("/pots/a").await().orElseThrow().record().begun();
    assertThat(await(archive.events().events(ActorPath.of("/pots/a"), begun, 0, 3)))
        .extracting(each -> each.event(Added.class).amount())
        .containsExactly(10, 11, 12);
    assertThat(await(archive.events().events(ActorPath.of("/pots/a"), 0, 20, 3)))
        .extracting(each -> each.event(Added.class).amount())
        .containsExactly(30);
  }

  @Test
  void olderCodeUsesANewerSnapshotAndMakesNone() throws Exception {
    await(Feeds.host(callboard, archive.sink()));
    mend();
    await(callboard.spawn("/till", Till::new, OFTEN));
    assertThat(sellWithSnapshots()).isEqualTo(new Tax(700));
    await(callboard.stop("/till"));
    version = 1;
    await(callboard.spawn("/till", Till::new, OFTEN));
    assertThat(sell("/till", 20, 100)).isEqualTo(new Tax(1100));
    StoredSnapshot newest =
        callboard.admin().stored("/till").await().orElseThrow().record().newest().orElseThrow();
    assertThat(newest.event()).isEqualTo(30);
    assertThat(newest.fold()).isEqualTo(2);
  }

  @Test
  void anOperatorHasTheStateOfOneActorMadeAgain() throws Exception {
    await(Feeds.host(callboard, archive.sink()));
    await(callboard.spawn("/till", Till::new, OFTEN));
    assertThat(sell("/till", 35, 100)).isEqualTo(new Tax(70));
    percent = 20;
    Eventually.assertThat(() -> assertThat(archived()).hasSize(35));
    await(callboard.admin().refold("/till", "tax was 2 % until today"));
    assertThat(sell("/till", 1, 100)).isEqualTo(new Tax(720));
    Eventually.assertThat(() -> assertThat(archived()).hasSize(37));
    FeedEvent corrected = archived().get(35);
    assertThat(corrected.type()).isEqualTo("callboard..corrected");
    assertThat(corrected.number()).isEqualTo(36);
    assertThat(corrected.body().get("why").asText()).isEqualTo("tax was 2 % until today");
    assertThat(corrected.events(Till::new)).isEmpty();
    again();
    assertThat(sell("/till", 1, 0)).isEqualTo(new Tax(720));
    assertThat(await(archive.stateAsOf("/till", Till::new, 37)).total()).isEqualTo(720);
  }

  @Test
  void aStateMadeAgainHoldsThoughTheActorEndsAtOnce() throws Exception {
    ActorOptions whole = new ActorOptions(OFTEN).snapshots(SnapshotPolicy.every(10).keep(9));
    await(callboard.spawn("/till", Till::new, whole));
    assertThat(sell("/till", 35, 100)).isEqualTo(new Tax(70));
    for (int round = 1; round <= 10; round++) {
      percent = 20 + round;
      await(callboard.admin().refold("/till", "tax was wrong"));
      await(callboard.stop("/till"));
      await(callboard.spawn("/till", Till::new, whole));
      assertThat(sell("/till", 1, 0)).as("round %d", round).isEqualTo(new Tax(35L * percent));
    }
  }

  @Test
  void soItDoesWhereItsEventsAreInTheArchiveOnly() throws Exception {
    await(Feeds.host(callboard, archive.sink()));
    await(callboard.spawn("/till", Till::new, OFTEN));
    assertThat(sell("/till", 35, 100)).isEqualTo(new Tax(70));
    for (int round = 1; round <= 10; round++) {
      percent = 20 + round;
      int events = 34 + round; // a refold is one, too
      Eventually.assertThat(() -> assertThat(archived()).hasSize(events));
      await(callboard.admin().refold("/till", "tax was wrong"));
      await(callboard.stop("/till"));
      await(callboard.spawn("/till", Till::new, OFTEN));
      assertThat(sell("/till", 1, 0)).as("round %d", round).isEqualTo(new Tax(35L * percent));
    }
  }

  @Test
  void aStateThatCannotBeWrittenIsNotMadeAgain() throws Exception {
    await(Feeds.host(callboard, archive.sink()));
    await(callboard.spawn("/till", Till::new, OFTEN));
    assertThat(sellWithSnapshots()).isEqualTo(new Tax(70));
    Eventually.assertThat(() -> assertThat(archived()).hasSize(35));
    percent = 20;
    unwritable = true;
    assertThatThrownBy(() -> await(callboard.admin().refold("/till", "")))
        .hasStackTraceContaining("it cannot be written now");
    unwritable = false;
    // of the old snapshot, and five events after it
    assertThat(sell("/till", 1, 0)).isEqualTo(new Tax(60 + 5 * 20));
  }

  /** The actor ends and begins. */
  private void again() throws Exception {
    await(callboard.stop("/till"));
    await(callboard.spawn("/till", Till::new, OFTEN));
  }

  @Test
  void anOperatorSetsAnActorBackToAnEvent() throws Exception {
    percent = 100;
    await(Feeds.host(callboard, archive.sink()));
    await(callboard.spawn("/till", Till::new, OFTEN));
    assertThat(sell("/till", 34, 100)).isEqualTo(new Tax(3400));
    assertThat(sell("/till", 1, 1_000_000)).isEqualTo(new Tax(1_003_400));
    Eventually.assertThat(() -> assertThat(archived()).hasSize(35));
    await(callboard.admin().restore("/till", 34, "ticket 35 was never sold"));
    assertThat(sell("/till", 1, 100)).isEqualTo(new Tax(3500));
    Eventually.assertThat(() -> assertThat(archived()).hasSize(37));
    assertThat(archived()).extracting(FeedEvent::number).contains(35L, 36L, 37L);
    FeedEvent restored = archived().get(35);
    assertThat(restored.type()).isEqualTo("callboard..restored");
    assertThat(restored.body().get("event").asLong()).isEqualTo(34);
    assertThat(restored.body().get("state").get("total").asLong()).isEqualTo(3400);
    again();
    assertThat(sell("/till", 1, 0)).isEqualTo(new Tax(3500));
    assertThat(await(archive.stateAsOf("/till", Till::new, 35)).total()).isEqualTo(1_003_400);
    assertThat(await(archive.stateAsOf("/till", Till::new, 37)).total()).isEqualTo(3500);
    await(callboard.admin().refold("/till", "all of it"));
    assertThat(sell("/till", 1, 0)).isEqualTo(new Tax(3500));
    Eventually.assertThat(() -> assertThat(archived()).hasSize(38)); // with the refolding
    await(callboard.admin().restore("/till", 3, "far back")); // of the archive
    assertThat(sell("/till", 1, 0)).isEqualTo(new Tax(300));
    Eventually.assertThat(() -> assertThat(archived()).hasSize(39)); // with the setting back
    await(callboard.admin().restore("/till", 0, "from the beginning"));
    assertThat(sell("/till", 1, 100)).isEqualTo(new Tax(100));
  }

  @Test
  void anImpossibleCorrectionLeavesTheActorAsItWas() throws Exception {
    ActorOptions bare = new ActorOptions(OFTEN).archived(false);
    await(callboard.spawn("/till", Till::new, bare));
    assertThat(sellWithSnapshots()).isEqualTo(new Tax(70));
    assertThatThrownBy(() -> await(callboard.admin().refold("/till", "")))
        .isInstanceOf(ReplayException.class)
        .hasMessageContaining("neither in the journal nor in the archive");
    assertThatThrownBy(() -> await(callboard.admin().restore("/till", 36, "")))
        .isInstanceOf(ReplayException.class)
        .hasMessageContaining(
            "event 36 of /till cannot be replayed: there is none, its last is event 35");
    assertThatThrownBy(() -> await(callboard.admin().restore("/till", 3, "")))
        .isInstanceOf(ReplayException.class);
    assertThatThrownBy(() -> await(callboard.admin().restore("/till", -1, "")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> await(callboard.admin().refold("/nobody", "")))
        .hasMessageContaining("no durable actor /nobody runs here");
    assertThat(sell("/till", 1, 0)).isEqualTo(new Tax(70));
    await(callboard.admin().restore("/till", 31, "near enough"));
    assertThat(sell("/till", 1, 0)).isEqualTo(new Tax(62));
  }
}
