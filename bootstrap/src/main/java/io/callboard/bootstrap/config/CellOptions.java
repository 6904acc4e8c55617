package io.callboard.bootstrap.config;

import io.callboard.zookeeper.access.ZooKeeperAccess;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The cell that a command works on, and how it gets access. */
public final class CellOptions {
  @Mixin public AccessOptions access = new AccessOptions();

  @Option(
      names = "--cell",
      paramLabel = "NAME",
      defaultValue = "main",
      description = "Name of the cell (default: ${DEFAULT-VALUE}).")
  public String cell = "main";

  /**
   * @param connect the servers
   * @param command whose options these are
   * @throws StartupFailure if they do not fit together, or a file cannot be read
   */
  public ZooKeeperOptions at(String connect, CommandLine command) {
    ZooKeeperAccess allowed = access(command);
    try {
      return new ZooKeeperOptions(
          connect,
          cell,
          ZooKeeperOptions.DEFAULT_SESSION_TIMEOUT,
          ZooKeeperOptions.DEFAULT_CONNECT_TIMEOUT,
          allowed);
    } catch (IllegalArgumentException e) {
      throw StartupFailure.usage(String.valueOf(e.getMessage()));
    }
  }

  /**
   * @throws StartupFailure if a file cannot be read, or the options do not fit together
   */
  public ZooKeeperAccess access(CommandLine command) {
    ConfigSources configSources = (ConfigSources) command.getDefaultValueProvider();
    return access.access(configSources.environment(), AccessOptions.isTyped(command));
  }
}
