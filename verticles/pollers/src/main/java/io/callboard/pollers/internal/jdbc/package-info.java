/**
 * Outbox table of a PostgreSQL database as a source: an application inserts a row in the same
 * transaction as its own changes, and the row becomes a message.
 *
 * <h2>Table</h2>
 *
 * <pre>
 * create table callboard_outbox (
 *   id           bigint generated always as identity primary key,
 *   key          text unique check (length(key) between 1 and 250),
 *   body         bytea not null,
 *   headers      jsonb not null default '{}' check (jsonb_typeof(headers) = 'object'),
 *   created_at   timestamptz not null default now() check (isfinite(created_at)),
 *   available_at timestamptz not null default now(),
 *   attempts     integer not null default 0,
 *   failures     integer not null default 0,
 *   taken_by     text,
 *   done_at      timestamptz,
 *   dead_at      timestamptz,
 *   cause        text);
 * create index on callboard_outbox (available_at, id) where done_at is null and dead_at is null;
 * </pre>
 *
 * <p>Applications set {@code body}, perhaps {@code headers}, {@code available_at} for a later
 * delivery, and {@code key}, an id of their own that makes a doubled insert fail. The other columns
 * belong to the source. Other columns may be added if they have defaults.
 *
 * <h2>Design</h2>
 *
 * <p>A poll is one statement: it locks the rows that are due with {@code for update skip locked},
 * so that clients do not wait for each other, and moves {@code available_at} to the end of the
 * lease. No transaction stays open while a message is worked on, so that a crash leaves no lock and
 * vacuum is not held up. The clock of the database is the only one. {@code taken_by} has the
 * receipt of the delivery, another one for each; each later statement names it, so what comes late
 * from a client that has lost the row changes nothing.
 *
 * <p>The database adds the sizes of the rows up before it sends any, and takes no further one after
 * {@link io.callboard.pollers.source.Source#MOST_BYTES}. No content of a row fails the statement,
 * and each row is read by itself: one that cannot be, as for headers that no JSON reader takes, is
 * set aside with its cause, and the others are delivered.
 *
 * <p>The id of a message is {@code key/} and its key, or {@code row/} with the row's id and the
 * time of its insertion, because a table that was made anew counts from 1 again.
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.internal.jdbc;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
