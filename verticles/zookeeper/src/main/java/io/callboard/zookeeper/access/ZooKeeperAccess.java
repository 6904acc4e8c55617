package io.callboard.zookeeper.access;

import java.util.List;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of a node with ZooKeeper, and the protection of its connection. Immutable.
 *
 * @param credentials null for none: whatever the node makes is open to everybody
 * @param tls null for plain text
 */
public record ZooKeeperAccess(
    @Nullable ZooKeeperCredentials credentials, @Nullable ZooKeeperTls tls) {
  /** Access without credentials and in plain text, as to an ensemble without further settings. */
  public static final ZooKeeperAccess OPEN = new ZooKeeperAccess(null, null);

  /**
   * Bytes of one answer at most; with more, the client drops its connection. By default that is 1
   * MiB, less than the names of what one partition may hold. It bounds reads only: what a request
   * may hold, the server limits.
   */
  static final int MOST_ANSWER_BYTES = 64 << 20;

  /**
   * Returns the ACL of every znode that this node creates: with credentials, no other user may even
   * read it.
   */
  public List<ACL> acl() {
    return credentials == null ? Ids.OPEN_ACL_UNSAFE : Ids.CREATOR_ALL_ACL;
  }

  /** Returns the client configuration, for Curator's client or the plain one. */
  public ZKClientConfig clientConfig() {
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
    int given = config.getInt(ZKConfig.JUTE_MAXBUFFER, 0); // of this JVM
    config.setProperty(ZKConfig.JUTE_MAXBUFFER, String.valueOf(Math.max(given, MOST_ANSWER_BYTES)));
    if (tls != null) {
      tls.configure(config);
    }
    return config;
  }
}
