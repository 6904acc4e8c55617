package io.callboard.pollers.internal.redis;

import io.callboard.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Servers of Redis for the tests of one class, which are skipped where there is none. */
final class InstalledRedis {
  private InstalledRedis() {}

  /** Starts a server; skips the tests if there is none, unless the environment requires it. */
  static RedisServer start(Class<?> test) throws IOException {
    require();
    return RedisServer.start(directory(test));
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
