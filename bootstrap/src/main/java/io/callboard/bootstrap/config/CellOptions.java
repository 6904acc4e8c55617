package io.callboard.bootstrap.config;

import io.callboard.zookeeper.access.ZooKeeperAccess;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that name the cell on which a command works, and the access to it. */
public final class CellOptions {
  /** Access to ZooKeeper. */
  @Mixin public AccessOptions access = new AccessOptions();

  /** Name of the cell. */
  @Option(
      names = "--cell",
      paramLabel = "NAME",
      defaultValue = "main",
      description = "Name of the cell (default: ${DEFAULT-VALUE}).")
  public String cell = "main";

  /**
   * Returns the ZooKeeper options for the cell.
   *
   * @param connect connect string of the servers
   * @param command command to which these options belong
   * @throws StartupFailure if they contradict each other, or a file cannot be read
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
   * Returns the access to ZooKeeper.
   *
   * @throws StartupFailure if a file cannot be read, or the options contradict each other
   */
  public ZooKeeperAccess access(CommandLine command) {
    ConfigSources configSources = (ConfigSources) command.getDefaultValueProvider();
    return access.access(configSources.environment(), AccessOptions.isTyped(command));
  }
}
