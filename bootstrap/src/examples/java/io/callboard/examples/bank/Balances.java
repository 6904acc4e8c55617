package io.callboard.examples.bank;

import io.callboard.archive.Projection;
import io.callboard.examples.bank.BankAccount.Event;
import io.callboard.journal.FeedEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The balance of each account, and the money on its way, in two tables. They follow the order of
 * the commits, so their sum is the bank's money at every moment.
 */
public final class Balances implements Projection {
  @Override
  public String name() {
    return "balances";
  }

  @Override
  public String feed() {
    return BankAccount.FEED;
  }

  @Override
  public void prepare(Connection connection) throws SQLException {
    change(
        connection,
        "create table if not exists balance (account varchar(200) primary key, cents bigint not null)");
    change(
        connection,
        "create table if not exists transit (id varchar(100) primary key, cents bigint not null)");
  }

  @Override
  public void apply(Connection connection, FeedEvent feedEvent) throws SQLException {
    Event event = feedEvent.event(Event.class);
    String account = feedEvent.actor().substring(feedEvent.actor().lastIndexOf('/') + 1);
    if (event instanceof Event.Opened opened) {
      change(
          connection,
          "insert into balance (account, cents) values (?, ?)",
          account,
          opened.cents());
    } else if (event instanceof Event.Sent sent) {
      add(connection, account, -sent.cents());
      change(connection, "insert into transit (id, cents) values (?, ?)", sent.id(), sent.cents());
    } else if (event instanceof Event.Received received) {
      add(connection, account, received.cents());
      change(connection, "delete from transit where id = ?", received.id());
    } else if (event instanceof Event.Returned returned) {
      add(connection, account, returned.cents());
      change(connection, "delete from transit where id = ?", returned.id());
    }
  }

  private static void add(Connection connection, String account, long cents) throws SQLException {
    change(connection, "update balance set cents = cents + ? where account = ?", cents, account);
  }

  @Override
  public void reset(Connection connection) throws SQLException {
    change(connection, "delete from balance");
    change(connection, "delete from transit");
  }

  private static void change(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      boolean unused = statement.execute();
    }
  }
}
