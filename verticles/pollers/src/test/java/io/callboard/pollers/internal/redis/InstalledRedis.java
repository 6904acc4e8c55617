package io.callboard.pollers.internal.redis;

import io.callboard.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * JUnit extension that runs a server of Redis for the tests of one class, which are skipped where
 * there is none, unless the environment requires it.
 */
final class InstalledRedis implements BeforeAllCallback, AfterAllCallback {
  private RedisServer server;

  int port() {
    return server.port();
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    require();
    server = RedisServer.start(directory(context.getRequiredTestClass()));
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    if (server != null) {
      server.close();
    }
  }

  /** Starts a server that takes nothing but TLS, with these PEM files. */
  static RedisServer startWithTls(Class<?> test, Path key, Path certificate) throws IOException {
    require();
    return RedisServer.startWithTls(directory(test), key, certificate);
  }

  /** Returns the directory of a test's server. */
  static Path directory(Class<?> test) throws IOException {
    return Files.createDirectories(Path.of("target", "redis", test.getSimpleName()));
  }

  private static void require() {
    boolean required = Boolean.parseBoolean(System.getenv("CALLBOARD_REQUIRE_REDIS"));
    Assumptions.assumeTrue(
        required || RedisServer.isInstalled(),
        "there is no redis-server on the path: install Debian's redis-server");
  }
}
