package io.callboard.pollers.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.PlayedMemory;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContract;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.pollers.source.Wire;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Futures;
import io.callboard.testkit.PostgresExtension;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conformance of the source on an outbox table of a real PostgreSQL server. */
@Tag("real")
class JdbcSourceTest extends SourceContract {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  private final Map<Source, Wire> wires = new HashMap<>();
  private String url;

  @Override
  protected void makeQueue(String name) throws SQLException {
    url = POSTGRES.server().schema(name);
    execute(new OutboxTable("callboard_outbox").create());
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  protected void removeQueue() {
    wires.forEach(
        (source, wire) -> {
          Futures.await(source.close());
          wire.close();
        });
  }

  private JsonObject settings(Wire wire) {
    return new JsonObject()
        .put(
            "url",
            "jdbc:postgresql://127.0.0.1:%d/postgres?currentSchema=%s"
                .formatted(wire.port(), queue()))
        .put("user", "postgres")
        .put("connections", 2);
  }

  private Wire wire() {
    String address = POSTGRES.server().address();
    return Wire.before(vertx(), Integer.parseInt(address.substring(address.indexOf(':') + 1)));
  }

  private Source source(Wire wire, JsonObject settings) {
    JdbcKind kind = new JdbcKind();
    kind.check(settings);
    Source source = kind.create(PlayedMemory.context(vertx(), queue(), settings));
    wires.put(source, wire);
    return source;
  }

  @Override
  protected Optional<String> kitColumn() {
    return Optional.of("jdbc");
  }

  @Override
  protected Source newSource(Duration lease) {
    Wire wire = wire();
    return source(wire, settings(wire).put("lease", lease.toString()).put("createTable", true));
  }

  /** The connections end without a goodbye. */
  @Override
  protected void cut(Source source) {
    wires.get(source).cut();
  }

  @Override
  protected void away() {
    wires.values().forEach(Wire::cut);
  }

  @Override
  protected void back() {
    wires.values().forEach(Wire::mend);
  }

  @Override
  protected void put(List<Buffer> bodies) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement statement =
            connection.prepareStatement("insert into callboard_outbox (body) values (?)")) {
      for (Buffer body : bodies) {
        statement.setBytes(1, body.getBytes());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** Valid JSON, of which PostgreSQL gives all digits. */
  @Override
  protected void putUnreadable() throws SQLException {
    execute("insert into callboard_outbox (body, headers) values ('poison', '{\"big\": 1e2000}')");
  }

  @Override
  protected void refuseAside() throws SQLException {
    execute("alter table callboard_outbox add constraint never check (dead_at is null)");
  }

  @Override
  protected void acceptAside() throws SQLException {
    execute("alter table callboard_outbox drop constraint never");
  }

  @Override
  protected List<Aside> aside() throws SQLException {
    List<Aside> aside = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select body, cause from callboard_outbox where dead_at is not null")) {
      while (rows.next()) {
        aside.add(new Aside(Buffer.buffer(rows.getBytes(1)), rows.getString(2)));
      }
    }
    return aside;
  }

  @Override
  protected List<EmittedMessage> emitted(String target) throws SQLException {
    List<EmittedMessage> emitted = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select key, body, headers::text from " + target)) {
      while (rows.next()) {
        Map<String, String> headers = new HashMap<>();
        new JsonObject(rows.getString(3)).forEach(e -> headers.put(e.getKey(), e.getValue() + ""));
        emitted.add(
            new EmittedMessage(rows.getString(1), Buffer.buffer(rows.getBytes(2)), headers));
      }
    }
    return emitted;
  }

  // beyond the contract

  @Test
  void aSourceThatIsClosedWhileItOpensKeepsNoConnection() {
    Wire wire = wire();
    for (int i = 0; i < 5; i++) {
      Source source = source(wire, settings(wire));
      Future<Void> opened = source.open();
      Futures.await(source.close());
      Futures.await(opened.otherwiseEmpty());
    }
    Eventually.assertThat(() -> assertThat(wire.connections()).isZero());
  }

  @Test
  void keysAreIdsAndHeadersAreTexts() throws Exception {
    execute(
        """
        insert into callboard_outbox (key, body, headers, available_at) values
          ('order 1', 'x', '{"text": "a", "number": 7, "none": null,
            "sum": 12345678901234567.8900}', now()),
          ('order 2', 'x', '{}', now() + interval '1 hour')
        """);
    Source source = newSource(Duration.ofSeconds(30));
    Futures.await(source.open());
    List<SourceMessage> taken = Futures.await(source.poll(5));
    assertThat(taken).hasSize(1);
    assertThat(taken.get(0).id()).isEqualTo("key/order 1");
    assertThat(taken.get(0).headers())
        .isEqualTo(Map.of("text", "a", "number", "7", "sum", "12345678901234567.8900"));
    assertThat(taken.get(0).sentAt()).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "repeat('{\"a\":', 1100) || '1' || repeat('}', 1100)",
        "'[1, 2]'",
        "'null'",
        "'\"text\"'",
        "null",
        "'{\"a\": \"' || repeat('x', 2000000) || '\"}'",
      })
  void headersThatCannotBeReadSetTheirRowAsideAlone(String headers) throws Exception {
    execute(
        """
        alter table callboard_outbox drop constraint callboard_outbox_headers_check;
        alter table callboard_outbox alter column headers drop not null;
        insert into callboard_outbox (body) values ('m0');
        insert into callboard_outbox (body, headers) values ('poison', (%s)::jsonb);
        insert into callboard_outbox (body) values ('m1')
        """
            .formatted(headers));
    Source source = newSource(Duration.ofSeconds(30));
    Futures.await(source.open());
    assertThat(Futures.await(source.poll(5)))
        .extracting(each -> each.body().toString())
        .containsExactly("m0", "m1");
    assertThat(aside())
        .singleElement()
        .satisfies(each -> assertThat(each.cause()).contains("headers"));
  }

  @Test
  void infiniteTimesStopNoTable() throws Exception {
    execute(
        """
        alter table callboard_outbox drop constraint if exists callboard_outbox_created_at_check;
        alter table callboard_outbox alter column created_at drop not null;
        insert into callboard_outbox (body, created_at) values
          ('m0', 'infinity'), ('m1', '-infinity'), ('m2', '294276-12-31 23:59:59+00'),
          ('m3', '4713-01-01 00:00:00+00 BC'), ('m4', null), ('m5', now())
        """);
    Source source = newSource(Duration.ofSeconds(30));
    Futures.await(source.open());
    List<SourceMessage> taken = Futures.await(source.poll(10));
    assertThat(taken)
        .extracting(each -> each.body().toString())
        .containsExactlyInAnyOrder("m0", "m1", "m2", "m3", "m4", "m5");
    assertThat(taken).extracting(SourceMessage::id).doesNotHaveDuplicates();
    List<String> receipts = taken.stream().map(SourceMessage::receipt).toList();
    Futures.await(source.release(receipts));
    assertThat(Futures.await(source.poll(10)))
        .extracting(SourceMessage::id)
        .containsExactlyInAnyOrderElementsOf(taken.stream().map(SourceMessage::id).toList());
  }

  @Test
  void aRowThatIsCountedToTheEndStopsNoTable() throws Exception {
    execute(
        """
        insert into callboard_outbox (body, attempts, failures) values
          ('counted', 2147483647, 2147483647), ('m', 0, 0)
        """);
    Source source = newSource(Duration.ofSeconds(30));
    Futures.await(source.open());
    for (int poll = 0; poll < 2; poll++) {
      List<SourceMessage> taken = Futures.await(source.poll(5));
      assertThat(taken)
          .extracting(each -> each.body().toString())
          .containsExactlyInAnyOrder("counted", "m");
      for (SourceMessage each : taken) {
        Futures.await(source.fail(each.receipt(), Duration.ZERO, "it failed"));
      }
    }
    List<SourceMessage> last = Futures.await(source.poll(5));
    assertThat(last)
        .extracting(SourceMessage::failures)
        .containsExactlyInAnyOrder(Integer.MAX_VALUE, 2);
    Futures.await(source.release(last.stream().map(SourceMessage::receipt).toList()));
    assertThat(number("select min(attempts) from callboard_outbox")).isEqualTo(2);
  }

  @Test
  void aRowThatCannotBeSetAsideHoldsNoOtherAndIsTheTrouble() throws Exception {
    putUnreadable();
    put(List.of(Buffer.buffer("m")));
    execute("alter table callboard_outbox add constraint never check (dead_at is null)");
    Source source = newSource(Duration.ofSeconds(5));
    Futures.await(source.open());
    assertThat(Futures.await(source.poll(5))).hasSize(1);
    assertThat(source.trouble().orElseThrow()).contains("row 1 cannot be set aside", "never");
    execute("alter table callboard_outbox drop constraint never");
    Eventually.assertThat(
        () -> {
          assertThat(Futures.await(source.poll(5))).isEmpty();
          assertThat(source.trouble()).isEmpty();
        });
    assertThat(aside()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update callboard_outbox set headers = '{}' where id = 1",
        "delete from callboard_outbox where id = 1",
        "update callboard_outbox set done_at = now() where id = 1"
      })
  void aRowThatCouldNotBeSetAsideIsNoTroubleOnceAnOperatorHasRepairedIt(String repair)
      throws Exception {
    putUnreadable();
    execute("alter table callboard_outbox add constraint never check (dead_at is null)");
    Source source = newSource(Duration.ofSeconds(5));
    Futures.await(source.open());
    assertThat(Futures.await(source.poll(5))).isEmpty();
    assertThat(source.trouble().orElseThrow()).contains("row 1 cannot be set aside");
    assertThat(Futures.await(source.poll(5))).isEmpty();
    assertThat(source.trouble()).as("nothing has changed").isPresent();
    execute(repair);
    execute("update callboard_outbox set available_at = now()"); // its lease is over
    var unused = Futures.await(source.poll(5));
    assertThat(Futures.await(source.poll(5))).isEmpty();
    assertThat(source.trouble()).isEmpty();
  }

  @Test
  void completedRowsAreMarkedIfAskedFor() throws Exception {
    put(List.of(Buffer.buffer("m")));
    Wire wire = wire();
    Source source = source(wire, settings(wire).put("done", "mark"));
    Futures.await(source.open());
    String receipt = Futures.await(source.poll(1)).get(0).receipt();
    Futures.await(source.complete(List.of(receipt)));
    assertThat(Futures.await(source.poll(1))).isEmpty();
    assertThat(number("select count(*) from callboard_outbox where done_at is not null"))
        .isEqualTo(1);
  }

  private int number(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void rowsThatAreTooLargeAreSetAsideWithTheirSize() throws Exception {
    put(List.of(Buffer.buffer("12345678901"), Buffer.buffer("1234567890")));
    Wire wire = wire();
    Source source = source(wire, settings(wire).put("maxSize", 10));
    Futures.await(source.open());
    List<SourceMessage> taken = Futures.await(source.poll(5));
    assertThat(taken).extracting(each -> each.body().toString()).containsExactly("1234567890");
    assertThat(aside())
        .singleElement()
        .extracting(Aside::cause)
        .asString()
        .isEqualTo("it has 11 bytes; the source takes up to 10 bytes (setting maxSize)");
  }

  @Test
  void aLongIdIsHashedAndTextThatNoRowCanHaveIsRefused() throws Exception {
    Source source = newSource(Duration.ofSeconds(30));
    Futures.await(source.open());
    EmittedMessage longId = new EmittedMessage("x".repeat(300), Buffer.buffer("m"), Map.of());
    Futures.await(source.emit("callboard_outbox", longId));
    assertThat(Futures.await(source.poll(1)).get(0).id()).startsWith("key/sha256-");
    for (EmittedMessage bad :
        List.of(
            new EmittedMessage("1", Buffer.buffer("m"), Map.of("a", "b\u0000c")),
            new EmittedMessage("1\u00002", Buffer.buffer("m"), Map.of()))) {
      assertThatThrownBy(() -> Futures.await(source.emit("callboard_outbox", bad)))
          .isInstanceOf(EmissionRefusedException.class);
    }
  }

  @Test
  void failuresAreCounted() throws Exception {
    put(List.of(Buffer.buffer("m")));
    Source source = newSource(Duration.ofSeconds(30));
    Futures.await(source.open());
    SourceMessage first = Futures.await(source.poll(1)).get(0);
    assertThat(first.failures()).isZero();
    Futures.await(source.release(List.of(first.receipt())));
    SourceMessage second = Futures.await(source.poll(1)).get(0);
    assertThat(second.failures()).isZero();
    Futures.await(source.fail(second.receipt(), Duration.ZERO, "why"));
    assertThat(Futures.await(source.poll(1)).get(0).failures()).isEqualTo(1);
  }

  @Test
  void anEmittedDoubleIsDropped() throws Exception {
    Source source = newSource(Duration.ofSeconds(30));
    Futures.await(source.open());
    EmittedMessage message = new EmittedMessage("id", Buffer.buffer("m"), Map.of());
    Futures.await(source.emit("callboard_outbox", message));
    Futures.await(source.emit("callboard_outbox", message));
    assertThat(number("select count(*) from callboard_outbox")).isEqualTo(1);
    assertThatThrownBy(() -> Futures.await(source.emit("x; drop table y", message)))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("is no name of a table");
  }

  @Test
  void aTableOfAnotherLayoutIsAFailureThatNamesIt() throws Exception {
    execute("alter table callboard_outbox drop column attempts");
    Wire wire = wire();
    Source source = source(wire, settings(wire).put("password", "secret-1"));
    assertThatThrownBy(() -> Futures.await(source.open()))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("the table callboard_outbox of jdbc:postgresql://127.0.0.1")
        .hasMessageContaining("column \"attempts\" does not exist")
        .hasMessageNotContaining("secret-1");
  }
}
