package io.callboard.pollers.internal.jdbc;

import java.time.Duration;

/** Statements of PostgreSQL for one outbox table. */
final class OutboxTable {
  private static final String OPEN = "done_at is null and dead_at is null";

  /** Whether a row says when it came in; "infinity" and times without end do not. */
  private static final String HAS_TIME =
      "isfinite(created_at) and created_at < timestamptz '9999-01-01 00:00:00+00'";

  /** Text of that time, the same in each session; null if there is none. */
  private static final String INSERTED =
      "case when %s then (extract(epoch from created_at) * 1000000)::bigint::text else (created_at at time zone 'UTC')::text end"
          .formatted(HAS_TIME);

  private final String name;

  OutboxTable(String name) {
    this.name = name;
  }

  /** Returns the statements that make the table and its index if they are not there. */
  String create() {
    return """
        create table if not exists %1$s (
          id           bigint generated always as identity primary key,
          key          text unique check (length(key) between 1 and 250),
          body         bytea not null,
          headers      jsonb not null default '{}' check (jsonb_typeof(headers) = 'object'),
          created_at   timestamptz not null default now() check (isfinite(created_at)),
          available_at timestamptz not null default now(),
          attempts     integer not null default 0,
          failures     integer not null default 0,
          taken_by     text,
          done_at      timestamptz,
          dead_at      timestamptz,
          cause        text);
        comment on table %1$s is 'outbox of Callboard, version 1';
        create index if not exists %2$s_due on %1$s (available_at, id) where %3$s
        """
        .formatted(name, name.substring(name.indexOf('.') + 1), OPEN);
  }

  /** Returns a query that fails unless the table is as it must be. */
  String check() {
    return """
        select id, key, body, headers, created_at, available_at, attempts, failures, taken_by,
          done_at, dead_at, cause
        from %s where false
        """
        .formatted(name);
  }

  /**
   * Returns the statement that takes due rows: parameters are maximum number of rows, bytes after
   * which no further row is taken, prefix of the receipts, lease in milliseconds, and, for both the
   * body and the headers, the largest that is transferred. It fails for no content of a row.
   */
  String take() {
    return """
        with due as (
          select id, available_at, coalesce(octet_length(body), 0)::bigint as size from %1$s
          where %2$s and available_at <= now()
          order by available_at, id limit ? for update skip locked),
        fitting as (
          select id from (
            select id, sum(size) over (order by available_at, id) - size as before from due) sized
          where before < ?),
        taken as (
          update %1$s t set
            taken_by = ? || '.' || t.id,
            attempts = %5$s,
            available_at = now() + ? * interval '1 millisecond'
          from fitting where t.id = fitting.id
          returning t.*)
        select id, coalesce('key/' || key, 'row/' || id || '/' || coalesce(%3$s, '')),
          taken_by, case when octet_length(body) <= ? then body end, octet_length(body),
          case when octet_length(headers::text) <= ? then headers::text end,
          octet_length(headers::text), attempts, case when %4$s then created_at end, failures
        from taken order by id
        """
        .formatted(name, OPEN, INSERTED, HAS_TIME, counted("attempts"));
  }

  private String update(String change) {
    return "update %s set %s where id = any(?) and taken_by = any(?) and %s returning taken_by"
        .formatted(name, change, OPEN);
  }

  /** Returns the statement that extends leases: parameters are the receipts. */
  String extend(Duration lease) {
    return update("available_at = now() + " + interval(lease));
  }

  /** Returns the query for the receipts that rows still have: parameters are the receipts. */
  String held() {
    return "select taken_by from %s where id = any(?) and taken_by = any(?) and %s"
        .formatted(name, OPEN);
  }

  String complete(boolean mark) {
    return mark
        ? update("done_at = now(), taken_by = null")
        : "delete from %s where id = any(?) and taken_by = any(?) and %s".formatted(name, OPEN);
  }

  /** Returns the statement that gives rows back: parameters are the cause and the receipts. */
  String fail(Duration delay) {
    return update(
        "cause = ?, failures = %s, taken_by = null, available_at = now() + "
                .formatted(counted("failures"))
            + interval(delay));
  }

  /** Returns one more than a number, which may be the largest: one row must not fail them all. */
  private static String counted(String column) {
    return "least(%s, %d) + 1".formatted(column, Integer.MAX_VALUE - 1);
  }

  String release() {
    return update("taken_by = null, attempts = attempts - 1, available_at = now()");
  }

  /** Returns the statement that sets rows aside: parameters are the cause and the receipts. */
  String dead() {
    return update("cause = ?, taken_by = null, dead_at = now()");
  }

  private static String interval(Duration duration) {
    return duration.toMillis() + " * interval '1 millisecond'";
  }

  /** Returns the statement that inserts a row: parameters are key, body and headers. */
  String insert() {
    return """
        insert into %s (key, body, headers) values (?, ?, ?::jsonb) on conflict (key) do nothing
        """
        .formatted(name);
  }

  /** Returns the query for the number of rows that are due, at most so many. */
  String count(int most) {
    return """
        select count(*) from (
          select 1 from %s where %s and available_at <= now() limit %d) waiting
        """
        .formatted(name, OPEN, most);
  }
}
