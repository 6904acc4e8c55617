package io.callboard.bootstrap;

import io.callboard.zookeeper.ZooKeeperAccess;
import io.callboard.zookeeper.ZooKeeperOptions;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The cell that a command works on, and how it gets access. */
final class CellOptions {
  @Mixin AccessOptions access = new AccessOptions();

  @Option(
      names = "--cell",
      paramLabel = "NAME",
      defaultValue = "main",
      description = "The cell (default: ${DEFAULT-VALUE}).")
  String cell = "main";

  /**
   * @param connect the servers
   * @param command whose options these are
   * @throws Refusal if they do not fit together, or a file cannot be read
   */
  ZooKeeperOptions at(String connect, CommandLine command) {
    ZooKeeperAccess allowed = access(command);
    try {
      return new ZooKeeperOptions(
          connect,
          cell,
          ZooKeeperOptions.DEFAULT_SESSION_TIMEOUT,
          ZooKeeperOptions.DEFAULT_CONNECT_TIMEOUT,
          allowed);
    } catch (IllegalArgumentException e) {
      throw Refusal.usage(String.valueOf(e.getMessage()));
    }
  }

  /**
   * @throws Refusal if a file cannot be read, or the options do not fit together
   */
  ZooKeeperAccess access(CommandLine command) {
    Layers layers = (Layers) command.getDefaultValueProvider();
    return access.access(layers.environment(), AccessOptions.isTyped(command));
  }
}
