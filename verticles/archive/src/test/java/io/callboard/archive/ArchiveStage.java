package io.callboard.archive;

import static io.callboard.testkit.Futures.await;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.feed.Feeds;
import io.callboard.journal.FeedEvent;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** A cell, an archive of it, and actors that have something to tell. */
abstract class ArchiveStage {
  static final ActorOptions ARCHIVED =
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
    volatile int failures;
    volatile int factor = 1;

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
    public void apply(Connection connection, FeedEvent event) throws SQLException {
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

  /** Returns the URL of an empty database or schema of that name. */
  abstract String url(String name) throws Exception;

  final Vertx vertx = Vertx.vertx();
  final MemoryCell cell = new MemoryCell();
  String url;
  Callboard callboard;
  Archive archive;
  Database database;

  @BeforeEach
  void open(TestInfo test) throws Exception {
    url = url(test.getTestMethod().orElseThrow().getName());
    callboard = await(create(cell));
    archive = await(Archive.open(vertx, url));
    database = await(Database.open(vertx, url, "test", 2));
  }

  Future<Callboard> create(MemoryCell in) {
    return Callboard.create(
        vertx,
        new CallboardOptions()
            .name("archive")
            .store(() -> new MemoryStore(in))
            .history(
                (actor, begun, after, limit) ->
                    archive.events().events(actor, begun, after, limit)));
  }

  @AfterEach
  void close() throws Exception {
    await(callboard.close());
    await(archive.close());
    await(database.close());
    await(vertx.close());
  }

  ActorRef<Order> pot(String name) {
    return callboard.durableRef("/pots/" + name, Order.class);
  }

  void host() throws Exception {
    await(Feeds.host(callboard, archive.sink()));
    await(callboard.host("/pots", Pot::new, ARCHIVED));
  }

  List<FeedEvent> history(String name) {
    return archive.history("/pots/" + name, 0, Archive.MOST_EVENTS).await();
  }

  void put(String name, int from, int to) throws Exception {
    for (int i = from; i <= to; i++) {
      await(pot(name).tell(new Order.Put(i)));
    }
  }

  List<FeedEvent> read(String feed) {
    return database
        .transaction(connection -> EventTable.read(connection, feed, 0, Archive.MOST_EVENTS))
        .await();
  }

  Map<String, Integer> totals() {
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

  int asOf(String name, long event) throws Exception {
    return await(archive.stateAsOf("/pots/" + name, Pot::new, event)).total();
  }

  int count(String table) throws Exception {
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
}
