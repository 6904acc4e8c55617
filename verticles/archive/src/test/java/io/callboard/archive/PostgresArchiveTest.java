package io.callboard.archive;

import io.callboard.testkit.PostgresExtension;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests on a real PostgreSQL server, which this class starts; skipped where none is installed. */
@Tag("long")
class PostgresArchiveTest extends ArchiveCases {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  @Override
  String url(String name) throws Exception {
    return POSTGRES.server().schema(name.toLowerCase(Locale.ROOT));
  }
}
