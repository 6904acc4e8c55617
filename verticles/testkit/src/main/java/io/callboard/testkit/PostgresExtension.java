package io.callboard.testkit;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * PostgreSQL server for the tests of a class, which are skipped where none is installed, as {@link
 * PostgresServer#assumeInstalled} says.
 *
 * <pre>{@code
 * @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();
 * }</pre>
 */
public final class PostgresExtension implements BeforeAllCallback, AfterAllCallback {
  private @Nullable PostgresServer server;

  /** Creates an extension whose server starts before the first test of the class. */
  public PostgresExtension() {}

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    PostgresServer.assumeInstalled();
    server = PostgresServer.start(false);
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    if (server != null) {
      server.close();
    }
  }

  /** Returns the server, which runs during the tests of the class. */
  public PostgresServer server() {
    return Objects.requireNonNull(server, "the server runs during the tests of the class");
  }
}
