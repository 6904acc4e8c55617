package io.callboard.archive;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.EventUpcaster;
import io.callboard.codecs.Json;
import io.callboard.codecs.Named;
import io.callboard.feed.Feed;
import io.callboard.feed.FeedSink;
import io.callboard.feed.Feeds;
import io.callboard.feed.Tagged;
import io.callboard.journal.ReplayException;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.MemoryCell;
import io.callboard.store.MemoryStore;
import io.callboard.store.StoreException;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What an archive does, whatever its database. */
abstract class ArchiveCases {
  private static final ActorOptions ARCHIVED =
      new ActorOptions().archived(true).snapshots(SnapshotPolicy.every(3));

  sealed interface Order {
    record Put(int amount) implements Order {}

    record End() implements Order {}
  }

  record Added(int amount) {}

  record Sum(int total) {}

  static final class Pot extends PersistentActor<Order, Added, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0);
    }

    @Override
    protected Sum apply(Sum sum, Added added) {
      return new Sum(sum.total() + added.amount());
    }

    @Override
    protected Set<String> tags(Added added) {
      return Set.of("pot");
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(Order.Put.class, put -> persist(new Added(put.amount())))
          .message(Order.End.class, end -> deleteSelf());
    }
  }

  /** The sum of each pot. */
  static final class Pots implements Projection {
    private volatile int failures;
    private volatile int factor = 1;

    @Override
    public String name() {
      return "pots";
    }

    @Override
    public String feed() {
      return "pot";
    }

    @Override
    public void prepare(Connection connection) throws SQLException {
      execute(
          connection, "create table if not exists pot (name varchar(200) primary key, total int)");
    }

    @Override
    public void apply(Connection connection, Tagged event) throws SQLException {
      int amount = factor * event.event(Added.class).amount();
      String update = "update pot set total = total + ? where name = ?";
      String insert = "insert into pot (total, name) values (?, ?)";
      if (change(connection, update, amount, event.actor()) == 0) {
        int unused = change(connection, insert, amount, event.actor());
      }
      if (failures > 0) {
        failures--;
        throw new SQLException("cut off in the middle");
      }
    }

    @Override
    public void reset(Connection connection) throws SQLException {
      execute(connection, "delete from pot");
    }

    private static int change(Connection connection, String sql, int amount, String name)
        throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setInt(1, amount);
        statement.setString(2, name);
        return statement.executeUpdate();
      }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        boolean unused = statement.execute();
      }
    }
  }

  /** Of an empty database or schema of that name. */
  abstract String url(String name) throws Exception;

  private final Vertx vertx = Vertx.vertx();
  private final MemoryCell cell = new MemoryCell();
  private String url;
  private Callboard callboard;
  private Archive archive;
  private Database database;

  @BeforeEach
  void open(TestInfo test) throws Exception {
    url = url(test.getTestMethod().orElseThrow().getName());
    callboard = await(create(cell));
    archive = await(Archive.open(vertx, url));
    database = await(Database.open(vertx, url, "test", 2));
  }

  private Future<Callboard> create(MemoryCell in) {
    return Callboard.create(
        vertx, new CallboardOptions().name("archive").store(() -> new MemoryStore(in)));
  }

  @AfterEach
  void close() throws Exception {
    await(callboard.close());
    await(archive.close());
    await(database.close());
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.await(20, SECONDS);
  }

  private ActorRef<Order> pot(String name) {
    return callboard.durableRef("/pots/" + name, Order.class);
  }

  private void host() throws Exception {
    await(Feeds.host(callboard, archive.sink()));
    await(callboard.host("/pots", Pot::new, ARCHIVED));
  }

  private List<Tagged> history(String name) {
    return archive.history("/pots/" + name, 0, Archive.MOST_EVENTS).await();
  }

  private void put(String name, int from, int to) throws Exception {
    for (int i = from; i <= to; i++) {
      await(pot(name).tell(new Order.Put(i)));
    }
  }

  @Test
  void hasTheWholeHistoryAlthoughTheJournalWasTrimmed() throws Exception {
    host();
    put("a", 1, 30);
    Eventually.assertThat(() -> assertThat(history("a")).hasSize(30));
    assertThat(history("a")).extracting(Tagged::number).isSorted().startsWith(1L).endsWith(30L);
    assertThat(history("a").get(4).event(Added.class)).isEqualTo(new Added(5));
    assertThat(await(archive.history("/pots/a", history("a").get(9).position(), 5)))
        .extracting(Tagged::number)
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

  private int asOf(String name, long event) throws Exception {
    return await(archive.stateAsOf("/pots/" + name, Pot::new, event)).total();
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
  void whoWasNotArchivedFromTheFirstEventOnHasNoStateToTell() throws Exception {
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
        .hasMessageContaining("the one before it is event 0");
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

  private List<Tagged> read(String feed) {
    return database
        .transaction(connection -> EventTable.read(connection, feed, 0, Archive.MOST_EVENTS))
        .await();
  }

  private Map<String, Integer> totals() {
    return database
        .transaction(
            connection -> {
              Map<String, Integer> totals = new TreeMap<>();
              try (PreparedStatement select =
                      connection.prepareStatement("select name, total from pot");
                  ResultSet row = select.executeQuery()) {
                while (row.next()) {
                  totals.put(row.getString(1), row.getInt(2));
                }
              }
              return totals;
            })
        .await();
  }

  @Test
  void anotherCellsDatabaseIsRefused() throws Exception {
    host();
    put("a", 1, 3);
    Eventually.assertThat(() -> assertThat(history("a")).hasSize(3));
    Tagged third = history("a").get(2);
    Tagged behind = at(third, third.position() + 2, "/pots/a");
    assertThatThrownBy(() -> await(archive.sink().write(List.of(behind), true)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("goes on with position 5, and the archive ends with 3");
    assertThatThrownBy(() -> await(archive.sink().write(List.of(at(third, 3, "/pots/b")), false)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("it is the archive of another cell");
    await(archive.sink().write(List.of(third, at(third, 4, "/pots/b")), false));
    assertThat(history("b")).hasSize(1);
  }

  @Test
  void everyEventThatIsWrittenAgainIsComparedWhole() throws Exception {
    host();
    put("a", 1, 5);
    Eventually.assertThat(() -> assertThat(history("a")).hasSize(5));
    List<Tagged> again = new ArrayList<>(history("a"));
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
            assertThat(callboard.failures("/callboard/feed/archive").await().toString())
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
          public void apply(Connection connection, Tagged event) {}
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

  // Since version 2 of the application an exchange is two events.

  @Named("change")
  sealed interface Change {
    @Named("took")
    record Took(int amount) implements Change {}

    @Named("gave")
    record Gave(int amount) implements Change {}
  }

  @Named("exchanged")
  record Exchanged(int out, int in) {}

  @Named("exchange")
  record Exchange(int out, int in) {}

  /** Version 1. */
  static final class OldBureau extends PersistentActor<Exchange, Exchanged, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0);
    }

    @Override
    protected Sum apply(Sum sum, Exchanged event) {
      return new Sum(sum.total() - event.out() + event.in());
    }

    @Override
    protected Set<String> tags(Exchanged event) {
      return Set.of("bureau");
    }

    @Override
    protected void protocol(Protocol<Exchange> on) {
      on.message(Exchange.class, exchange -> persist(new Exchanged(exchange.out(), exchange.in())));
    }
  }

  /** Version 2. */
  static final class Bureau extends PersistentActor<Exchange, Change, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0);
    }

    @Override
    protected Sum apply(Sum sum, Change event) {
      return new Sum(
          event instanceof Change.Took took
              ? sum.total() - took.amount()
              : sum.total() + ((Change.Gave) event).amount());
    }

    @Override
    protected Optional<EventUpcaster> upcaster() {
      return Optional.of(
          (event, next) -> {
            if (event.is("exchanged")) {
              for (String part : List.of("took", "gave")) {
                ObjectNode body = event.body().objectNode();
                body.set("amount", event.body().get(part.equals("took") ? "out" : "in"));
                next.accept(event.as(part, 1, body));
              }
            } else {
              next.accept(event);
            }
          });
    }

    @Override
    protected Set<String> tags(Change event) {
      return Set.of("bureau");
    }

    @Override
    protected void protocol(Protocol<Exchange> on) {
      on.message(
          Exchange.class,
          exchange -> {
            persist(new Change.Took(exchange.out()));
            persist(new Change.Gave(exchange.in()));
          });
    }
  }

  /** How much was taken of each. */
  static final class Taken implements Projection {
    final List<Change> seen = new CopyOnWriteArrayList<>();
    private volatile boolean upcasts = true;

    @Override
    public String name() {
      return "taken";
    }

    @Override
    public String feed() {
      return "bureau";
    }

    @Override
    public void apply(Connection connection, Tagged tagged) {
      if (upcasts) {
        seen.addAll(tagged.events(Bureau::new));
      } else {
        seen.add(tagged.event(Change.class));
      }
    }

    @Override
    public void reset(Connection connection) {
      seen.clear();
    }
  }

  @Test
  void aProjectionReadsOldEventsThroughTheUpcasterOfTheirActor() throws Exception {
    await(Feeds.host(callboard, archive.sink()));
    await(callboard.spawn("/bureau", OldBureau::new));
    await(callboard.durableRef("/bureau", Exchange.class).tell(new Exchange(3, 5)));
    Eventually.assertThat(() -> assertThat(read("bureau")).hasSize(1));
    await(callboard.stop("/bureau"));
    await(callboard.spawn("/bureau", Bureau::new));
    await(callboard.durableRef("/bureau", Exchange.class).tell(new Exchange(10, 20)));
    List<Change> all =
        List.of(new Change.Took(3), new Change.Gave(5), new Change.Took(10), new Change.Gave(20));
    Taken taken = new Taken();
    await(archive.project(callboard, taken));
    Eventually.assertThat(() -> assertThat(taken.seen).isEqualTo(all));
    await(archive.rebuild(taken));
    Eventually.assertThat(() -> assertThat(taken.seen).isEqualTo(all));
  }

  @Test
  void aRebuildThatCannotReadTheFirstEventsLeavesTheTablesAsTheyWere() throws Exception {
    host();
    Pots pots = new Pots();
    await(archive.project(callboard, pots));
    put("a", 1, 4);
    Eventually.assertThat(() -> assertThat(totals()).containsEntry("/pots/a", 10));
    Projection blind =
        new Projection() {
          @Override
          public String name() {
            return pots.name();
          }

          @Override
          public String feed() {
            return pots.feed();
          }

          @Override
          public void apply(Connection connection, Tagged event) {
            var unused = event.event(Change.class);
          }

          @Override
          public void reset(Connection connection) throws SQLException {
            pots.reset(connection);
          }
        };
    assertThatThrownBy(() -> await(archive.rebuild(blind)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("has no event \"added\"")
        .hasMessageContaining("events(");
    assertThat(totals()).isEqualTo(Map.of("/pots/a", 10));
    assertThat(await(archive.status("pots")).position()).isEqualTo(4);
  }

  private int count(String table) throws Exception {
    return await(
        database.transaction(
            connection -> {
              try (PreparedStatement select =
                      connection.prepareStatement("select count(*) from " + table);
                  ResultSet row = select.executeQuery()) {
                return row.next() ? row.getInt(1) : -1;
              }
            }));
  }

  private static Tagged body(Tagged event, Object body) {
    return new Tagged(
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
    Eventually.assertThat(() -> assertThat(whyInterrupted()).contains("and this node has none"));
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
    return callboard.failures("/callboard/feed/pot").await().toString();
  }

  private static Tagged at(Tagged event, long position, String actor) {
    return new Tagged(
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
  void whatCannotBeReachedIsTried() throws Exception {
    await(archive.close());
    Tagged event = new Tagged("pot", 1, "/a", 1, 1, Instant.EPOCH, "added", 1, Json.tree(Map.of()));
    assertThatThrownBy(() -> await(archive.sink().write(List.of(event), true)))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE));
    archive = await(Archive.open(vertx, url));
  }
}
