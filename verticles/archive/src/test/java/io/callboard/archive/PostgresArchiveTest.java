package io.callboard.archive;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On a real server, which it starts; skipped where there is none. */
class PostgresArchiveTest extends ArchiveCases {
  private static Postgres server;

  @BeforeAll
  static void server() throws Exception {
    server = Postgres.start();
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Override
  String url(String name) throws Exception {
    return server.schema(name.toLowerCase(java.util.Locale.ROOT));
  }
}
