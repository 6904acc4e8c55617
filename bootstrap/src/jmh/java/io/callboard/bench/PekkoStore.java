package io.callboard.bench;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Stores of Pekko's events, which flush them to the disk at each commit. */
final class PekkoStore {
  /** Number of connections that Pekko uses by default. */
  private static final int POSTGRES_CONNECTIONS = 20;

  private PekkoStore() {}

  /** Returns the configuration of the Java LevelDB, which flushes at each write. */
  static Config levelDb(Path directory) {
    return ConfigFactory.parseString(
            """
            pekko.log-dead-letters = off
            pekko.persistence.journal.plugin = "pekko.persistence.journal.leveldb"
            pekko.persistence.journal.leveldb { native = off, fsync = on, dir = "%s" }
            pekko.persistence.snapshot-store.plugin = "pekko.persistence.snapshot-store.local"
            pekko.persistence.snapshot-store.local.dir = "%s"
            """
                .formatted(directory.resolve("journal"), directory.resolve("snapshots")))
        .withFallback(ConfigFactory.load());
  }

  /** Returns the configuration of SQLite with a write-ahead log that is flushed at each commit. */
  static Config sqlite(Path directory) throws SQLException {
    String url = "jdbc:sqlite:%s/events.db".formatted(directory);
    tables(url);
    return jdbc("slick.jdbc.SQLiteProfile$", url + "?journal_mode=WAL&synchronous=FULL", 1);
  }

  /** Returns the configuration of PostgreSQL, which flushes at each commit. */
  static Config postgres(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE event_journal (
            ordering BIGSERIAL UNIQUE,
            deleted BOOLEAN DEFAULT false NOT NULL,
            persistence_id VARCHAR(255) NOT NULL,
            sequence_number BIGINT NOT NULL,
            writer VARCHAR NOT NULL,
            write_timestamp BIGINT NOT NULL,
            adapter_manifest VARCHAR NOT NULL,
            event_payload BYTEA NOT NULL,
            event_ser_id INTEGER NOT NULL,
            event_ser_manifest VARCHAR NOT NULL,
            meta_payload BYTEA,
            meta_ser_id INTEGER,
            meta_ser_manifest VARCHAR,
            PRIMARY KEY (persistence_id, sequence_number))""");
      statement.execute(
          """
          CREATE TABLE event_tag (
            event_id BIGINT,
            persistence_id VARCHAR(255),
            sequence_number BIGINT,
            tag VARCHAR NOT NULL,
            PRIMARY KEY (persistence_id, sequence_number, tag))""");
      statement.execute(
          """
          CREATE TABLE snapshot (
            persistence_id VARCHAR(255) NOT NULL,
            sequence_number BIGINT NOT NULL,
            created BIGINT NOT NULL,
            snapshot_ser_id INTEGER NOT NULL,
            snapshot_ser_manifest VARCHAR NOT NULL,
            snapshot_payload BYTEA NOT NULL,
            meta_ser_id INTEGER,
            meta_ser_manifest VARCHAR,
            meta_payload BYTEA,
            PRIMARY KEY (persistence_id, sequence_number))""");
    }
    return jdbc("slick.jdbc.PostgresProfile$", url, POSTGRES_CONNECTIONS);
  }

  private static void tables(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE "event_journal" (
            "ordering" INTEGER PRIMARY KEY AUTOINCREMENT,
            "deleted" BOOLEAN DEFAULT false NOT NULL,
            "persistence_id" VARCHAR(255) NOT NULL,
            "sequence_number" BIGINT NOT NULL,
            "writer" VARCHAR NOT NULL,
            "write_timestamp" BIGINT NOT NULL,
            "adapter_manifest" VARCHAR NOT NULL,
            "event_payload" BLOB NOT NULL,
            "event_ser_id" INTEGER NOT NULL,
            "event_ser_manifest" VARCHAR NOT NULL,
            "meta_payload" BLOB,
            "meta_ser_id" INTEGER,
            "meta_ser_manifest" VARCHAR,
            UNIQUE("persistence_id", "sequence_number"))""");
      statement.execute(
          """
          CREATE TABLE "event_tag" (
            "event_id" BIGINT,
            "persistence_id" VARCHAR(255),
            "sequence_number" BIGINT,
            "tag" VARCHAR NOT NULL,
            PRIMARY KEY("persistence_id", "sequence_number", "tag"))""");
      statement.execute(
          """
          CREATE TABLE "snapshot" (
            "persistence_id" VARCHAR NOT NULL,
            "sequence_number" BIGINT NOT NULL,
            "created" BIGINT NOT NULL,
            "snapshot_ser_id" INTEGER NOT NULL,
            "snapshot_ser_manifest" VARCHAR NOT NULL,
            "snapshot_payload" BLOB NOT NULL,
            "meta_ser_id" INTEGER,
            "meta_ser_manifest" VARCHAR,
            "meta_payload" BLOB,
            PRIMARY KEY("persistence_id", "sequence_number"))""");
    }
  }

  private static Config jdbc(String profile, String url, int connections) {
    return ConfigFactory.parseString(
            """
            pekko.log-dead-letters = off
            pekko.persistence.journal.plugin = "jdbc-journal"
            pekko.persistence.snapshot-store.plugin = "jdbc-snapshot-store"
            slick {
              profile = "%s"
              db { url = "%s", numThreads = %d, maxConnections = %d, minConnections = %d }
            }
            jdbc-journal { slick = ${slick} }
            jdbc-snapshot-store { slick = ${slick} }
            jdbc-read-journal { slick = ${slick} }
            """
                .formatted(profile, url, connections, connections, connections))
        .withFallback(ConfigFactory.load())
        .resolve();
  }
}
