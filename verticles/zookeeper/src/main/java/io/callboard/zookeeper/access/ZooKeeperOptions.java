package io.callboard.zookeeper.access;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Address of an ensemble, the cell in it, and the timeouts of a connection.
 *
 * @param connectString {@code host:port[,host:port…][/chroot]}
 * @param cell the name of the cell
 * @param sessionTimeout after which a node that is not heard of is gone
 * @param connectTimeout how long a first connection may take
 * @param access credentials and TLS
 */
public record ZooKeeperOptions(
    String connectString,
    String cell,
    Duration sessionTimeout,
    Duration connectTimeout,
    ZooKeeperAccess access) {
  /** Default name of a cell. */
  public static final String DEFAULT_CELL = "main";

  /** Default session timeout: 10 seconds. */
  public static final Duration DEFAULT_SESSION_TIMEOUT = Duration.ofSeconds(10);

  /** Default limit of the time that a first connection may take: 10 seconds. */
  public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private static final Pattern CONNECT =
      Pattern.compile("[^,/:\\s]+:\\d{1,5}(,[^,/:\\s]+:\\d{1,5})*(/[^\\s]*[^/\\s])?");
  private static final Pattern CELL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

  /**
   * Creates options.
   *
   * @throws IllegalArgumentException if {@code connectString} is not an ensemble, or {@code cell}
   *     is not a cell name: up to 63 letters, digits and - _ .
   */
  public ZooKeeperOptions {
    connectString = checkedConnect(connectString);
    cell = checkedCell(cell);
  }

  /**
   * The address of an ensemble as it is, if it can be one.
   *
   * @throws IllegalArgumentException if not; says what would be right
   */
  public static String checkedConnect(String connectString) {
    if (!CONNECT.matcher(connectString).matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is not an ensemble: use HOST:PORT[,HOST:PORT…][/CHROOT]"
              .formatted(connectString));
    }
    return connectString;
  }

  /**
   * The name of a cell as it is, if it can be one.
   *
   * @throws IllegalArgumentException if not; says what would be right
   */
  public static String checkedCell(String cell) {
    if (!CELL.matcher(cell).matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is not a cell name: use up to 63 letters, digits and - _ ., the first a letter or digit"
              .formatted(cell));
    }
    return cell;
  }

  /** Creates options for access without credentials and in plain text. */
  public ZooKeeperOptions(
      String connectString, String cell, Duration sessionTimeout, Duration connectTimeout) {
    this(connectString, cell, sessionTimeout, connectTimeout, ZooKeeperAccess.OPEN);
  }

  /** Returns the cell {@value #DEFAULT_CELL} with the default timeouts. */
  public static ZooKeeperOptions of(String connectString) {
    return new ZooKeeperOptions(
        connectString, DEFAULT_CELL, DEFAULT_SESSION_TIMEOUT, DEFAULT_CONNECT_TIMEOUT);
  }

  /** Returns the servers, without the chroot. */
  public String servers() {
    int slash = connectString.indexOf('/');
    return slash < 0 ? connectString : connectString.substring(0, slash);
  }

  /** Returns the ensemble and chroot, for messages. */
  public String ensemble() {
    return "ZooKeeper " + servers() + (access.tls() == null ? "" : " over TLS");
  }

  /** Returns the znode below which the cell lies. */
  public String root() {
    int slash = connectString.indexOf('/');
    return (slash < 0 ? "" : connectString.substring(slash)) + "/callboard/" + cell;
  }
}
