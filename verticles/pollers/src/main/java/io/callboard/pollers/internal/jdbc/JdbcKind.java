package io.callboard.pollers.internal.jdbc;

import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContext;
import io.callboard.pollers.source.SourceKind;
import io.callboard.time.Time;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.UUID;

/**
 * Kind {@code jdbc}: an outbox table of a PostgreSQL database.
 *
 * <p>Settings:
 *
 * <ul>
 *   <li>{@code url}: as {@code jdbc:postgresql://host:5432/database}, without user and password
 *   <li>{@code user}, {@code password}: optional
 *   <li>{@code table}: perhaps with its schema; letters, digits and underscores, default {@code
 *       callboard_outbox}
 *   <li>{@code createTable}: whether the table, and those that are emitted to, are made if they are
 *       not there; default false
 *   <li>{@code lease}: PT5S to PT1H, default PT30S
 *   <li>{@code maxSize}: largest body in bytes, up to 64 MiB, default 1 MiB; a larger one is set
 *       aside
 *   <li>{@code done}: {@code delete}, the default, or {@code mark}: completed rows stay, with
 *       {@code done_at}, until an operator deletes them
 *   <li>{@code connections}: 2 to 10, default 3
 * </ul>
 *
 * <p>A row that is set aside stays, with {@code dead_at} and {@code cause}; an operator brings it
 * back by setting {@code dead_at} to null. The target of an emitted message is another table of the
 * same layout; its id, or a hash of one of more than 250 bytes, is the key there, so a doubled one
 * is dropped for as long as the first is in the table.
 */
public final class JdbcKind implements SourceKind {
  /** Creates the kind. */
  public JdbcKind() {}

  @Override
  public String name() {
    return "jdbc";
  }

  @Override
  public Optional<String> artifact() {
    return Optional.of("org.postgresql:postgresql");
  }

  @Override
  public void check(JsonObject settings) {
    var unused = JdbcSettings.of(settings);
  }

  @Override
  public Source create(SourceContext its) {
    String client = UUID.randomUUID().toString().substring(0, 18);
    return new JdbcSource(
        its.vertx(), its.name(), client, JdbcSettings.of(its.settings()), Time.SYSTEM);
  }
}
