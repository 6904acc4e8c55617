package io.callboard.zookeeper;

import io.callboard.zookeeper.internal.server.BoundedDatabase;
import java.io.IOException;
import javax.security.sasl.SaslException;
import org.apache.zookeeper.server.ExitCode;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.apache.zookeeper.util.ServiceUtils;

/**
 * Main class of a ZooKeeper server of an ensemble: ZooKeeper's own, with a bound in bytes on what
 * it keeps of past requests, so that a small heap suffices for the largest permitted records.
 * Configured by a file as ZooKeeper's.
 */
public final class EnsembleServer extends QuorumPeerMain {
  /** Bound of the transactions kept for followers; see {@link BoundedDatabase}. */
  private static final long COMMITTED_LOG_BYTES = 8 << 20;

  private EnsembleServer() {}

  /** Runs until the server stops. The only argument is the path of the configuration file. */
  public static void main(String[] arguments) {
    ServiceUtils.requestSystemExit(run(arguments).getValue());
  }

  private static ExitCode run(String[] arguments) {
    if (arguments.length != 1) {
      return ended(ExitCode.INVALID_INVOCATION, "the only argument is the configuration file");
    }
    try {
      EnsembleServer server = new EnsembleServer();
      if (!isDistributed(arguments[0])) {
        return ended(
            ExitCode.INVALID_INVOCATION,
            "%s configures no ensemble: list its servers (server.1=HOST:2888:3888 …), and for a single one set standaloneEnabled=false"
                .formatted(arguments[0]));
      }
      server.initializeAndRun(arguments);
      return ExitCode.EXECUTION_FINISHED;
    } catch (ConfigException e) {
      return ended(ExitCode.INVALID_INVOCATION, e.getMessage() + cause(e));
    } catch (IOException | AdminServerException | RuntimeException e) {
      return ended(ExitCode.UNEXPECTED_ERROR, "the server failed: " + e);
    }
  }

  private static boolean isDistributed(String file) throws ConfigException {
    QuorumPeerConfig config = new QuorumPeerConfig();
    config.parse(file);
    return config.isDistributed();
  }

  private static String cause(ConfigException failure) {
    Throwable cause = failure.getCause();
    return cause == null ? "" : ": " + cause.getMessage();
  }

  private static ExitCode ended(ExitCode code, String why) {
    System.err.println(why);
    return code;
  }

  @Override
  protected QuorumPeer getQuorumPeer() throws SaslException {
    return new Peer();
  }

  /** Quorum peer that replaces its database by a bounded one. */
  private static final class Peer extends QuorumPeer {
    Peer() throws SaslException {}

    @Override
    public void setZKDatabase(ZKDatabase database) {
      super.setZKDatabase(new BoundedDatabase(getTxnFactory(), COMMITTED_LOG_BYTES));
    }
  }
}
