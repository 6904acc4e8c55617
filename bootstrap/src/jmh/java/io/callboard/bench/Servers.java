package io.callboard.bench;

import io.callboard.testkit.FreePorts;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.server.NettyServerCnxnFactory;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** ZooKeeper servers on loopback with fsync on: one in this JVM, one in a child, or three. */
final class Servers implements AutoCloseable {
  private static final int PORTS_OF_MEMBER = 3;

  private final String connectString;
  private final Parts parts = new Parts();

  private Servers(String connectString, Parts.Ending ending) {
    this.connectString = connectString;
    parts.add(ending);
  }

  /** Starts the embedded server that a node runs. */
  static Servers here(Stage stage) throws IOException {
    EmbeddedZooKeeper server =
        EmbeddedZooKeeper.start(stage.directory("zookeeper"), 0, Progress::say);
    return new Servers(server.connectString(), server::close);
  }

  /** Starts an ensemble of three child JVMs, for which a client must wait some seconds. */
  static Servers three(Stage stage) throws IOException {
    int[] ports = FreePorts.several(3 * PORTS_OF_MEMBER);
    StringBuilder members = new StringBuilder();
    List<String> clients = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      members.append("server.%d=127.0.0.1:%d:%d%n".formatted(i, ports[i], ports[3 + i]));
      clients.add("127.0.0.1:" + ports[6 + i]);
    }
    List<Child> children = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Path directory = stage.directory("member-" + i);
      Files.writeString(directory.resolve("myid"), String.valueOf(i));
      Path config = directory.resolve("zoo.cfg");
      Files.writeString(config, config(directory, ports[6 + i]) + members);
      children.add(Child.start(Member.class, List.of(), config.toString()));
    }
    return new Servers(String.join(",", clients), () -> end(children));
  }

  /** Ends all servers at once, as a member that outlives another logs errors. */
  private static void end(List<Child> children) {
    children.forEach(Child::kill);
    children.forEach(Child::close);
  }

  private static String config(Path directory, int port) {
    return """
        dataDir=%s
        clientPort=%d
        clientPortAddress=127.0.0.1
        tickTime=500
        initLimit=20
        syncLimit=10
        maxSessionTimeout=60000
        maxClientCnxns=1000
        """
        .formatted(directory, port);
  }

  String connectString() {
    return connectString;
  }

  @Override
  public void close() {
    parts.close();
  }

  /** A member of an ensemble. */
  static final class Member {
    private Member() {}

    public static void main(String[] arguments) {
      Child.endWithParent();
      System.setProperty("zookeeper.admin.enableServer", "false");
      System.setProperty("zookeeper.serverCnxnFactory", NettyServerCnxnFactory.class.getName());
      System.setProperty("zookeeper.snapCount", "200000");
      QuorumPeerMain.main(arguments);
    }
  }

  /** A server of its own; answers {@code heap} with the bytes in use. */
  static final class Single {
    private Single() {}

    public static void main(String[] arguments) throws Exception {
      EmbeddedZooKeeper server = EmbeddedZooKeeper.start(Path.of(arguments[0]), 0, Progress::say);
      Child.say("ready " + server.connectString());
      var orders = new java.util.Scanner(System.in, java.nio.charset.StandardCharsets.UTF_8);
      while (orders.hasNextLine()) {
        if (orders.nextLine().equals("heap")) {
          Child.say("heap " + Heap.used());
        }
      }
      Runtime.getRuntime().halt(0);
    }
  }
}
