package io.callboard.archive;

import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests on a real PostgreSQL server, which this class starts; skipped where none is installed. */
@Tag("long")
class PostgresArchiveTest extends ArchiveCases {
  @RegisterExtension static final InstalledPostgres SERVER = new InstalledPostgres();

  @Override
  String url(String name) throws Exception {
    return SERVER.schema(name.toLowerCase(Locale.ROOT));
  }
}
