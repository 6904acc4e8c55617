package io.callboard.pollers.internal.rabbitmq;

import io.callboard.servers.RabbitmqServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Servers of RabbitMQ for tests, which are skipped where it is not installed. */
final class InstalledRabbitmq {
  private InstalledRabbitmq() {}

  /** Starts a server; skips the test if it is not installed, unless the environment requires it. */
  static RabbitmqServer start() throws Exception {
    boolean required = Boolean.parseBoolean(System.getenv("CALLBOARD_REQUIRE_RABBITMQ"));
    Assumptions.assumeTrue(
        required || RabbitmqServer.isInstalled(),
        "there is no RabbitMQ on this machine: install Debian's package rabbitmq-server");
    return RabbitmqServer.start(Path.of("target"));
  }
}
