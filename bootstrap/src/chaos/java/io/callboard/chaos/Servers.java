package io.callboard.chaos;

import io.callboard.chaos.hosts.Jvm;
import io.callboard.chaos.hosts.Network;
import io.callboard.chaos.hosts.Progress;
import io.callboard.testkit.FreePorts;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** ZooKeeper servers out of the built jar, each a process: one, or an ensemble of three. */
final class Servers implements AutoCloseable {
  private static final String SINGLE = "org.apache.zookeeper.server.quorum.QuorumPeerMain";
  private static final String MEMBER = "io.callboard.zookeeper.EnsembleServer";

  /** The first server's number as a host. */
  private static final int HOSTS_FROM = 100;

  /**
   * Exit code of a ZooKeeper server that cannot truncate its log to what its leader has, if it was
   * cut from it in the middle of a synchronisation. Started again, it fetches the leader's state.
   */
  private static final int CANNOT_FOLLOW = 13;

  /** Bits of a transaction's id that count within the time of a leader. */
  private static final long TRANSACTION = 0xffff_ffffL;

  private final Path directory;
  private final int count;
  private final String classPath;
  private final Network network;
  private final List<Integer> ports = new ArrayList<>();
  private final List<Jvm> members = new ArrayList<>();

  Servers(Path directory, String classPath, int count, Network network) throws IOException {
    this.directory = directory;
    this.count = count;
    this.classPath = classPath;
    this.network = network;
    StringBuilder ensemble = new StringBuilder();
    int[] free = FreePorts.several(3 * count);
    for (int i = 0; i < count; i++) {
      ports.add(free[i]);
      network.add(host(i));
      ensemble.append(
          "server.%d=%s:%d:%d%n".formatted(i, address(i), free[count + i], free[2 * count + i]));
    }
    for (int i = 0; i < count; i++) {
      configure(i, count == 1 ? "" : ensemble.toString());
      members.add(launch(i));
    }
  }

  /** Writes the configuration of a server, which keeps its whole log, as that is judged. */
  private void configure(int member, String ensemble) throws IOException {
    Path data = Files.createDirectories(data(member));
    Files.writeString(data.resolve("myid"), String.valueOf(member));
    Files.writeString(
        configuration(member),
        """
        tickTime=500
        initLimit=20
        syncLimit=6
        minSessionTimeout=1000
        maxSessionTimeout=60000
        maxClientCnxns=0
        clientPortAddress=%s
        admin.enableServer=false
        serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory
        4lw.commands.whitelist=srvr
        snapCount=1000000
        clientPort=%d
        dataDir=%s
        %s
        """
            .formatted(address(member), ports.get(member), data, ensemble));
  }

  private Path data(int member) {
    return directory.resolve("zookeeper-%d".formatted(member));
  }

  private Path configuration(int member) {
    return directory.resolve("zookeeper-%d.cfg".formatted(member));
  }

  /**
   * Starts a server; one that comes back is sent the transactions that it missed, and seldom a
   * snapshot.
   */
  private Jvm launch(int member) throws IOException {
    return Jvm.start(
        network.on(host(member)),
        "zookeeper-%d".formatted(member),
        directory,
        List.of(
            "-Xmx2g", // 50,000 ended workflows are 460 MB
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dzookeeper.preAllocSize=4096",
            "-Dzookeeper.snapshotSizeFactor=100000"),
        classPath,
        count == 1 ? SINGLE : MEMBER,
        List.of(configuration(member).toString()));
  }

  int count() {
    return count;
  }

  /** Returns the number of a server as a host. */
  static int host(int member) {
    return HOSTS_FROM + member;
  }

  private String address(int member) {
    return network.own(host(member));
  }

  int port(int member) {
    return ports.get(member);
  }

  Jvm member(int member) {
    return members.get(member);
  }

  void restart(int member) throws IOException {
    members.set(member, launch(member));
  }

  /** Starts servers again that could not follow their leader, as an init system does. */
  void startLeftBehind() throws IOException {
    for (int i = 0; i < count; i++) {
      if (member(i).exitCode().equals(OptionalInt.of(CANNOT_FOLLOW))) {
        Progress.say("server %d could not truncate its log, and is started again".formatted(i));
        restart(i);
      }
    }
  }

  /** Returns the current leader; the only server if there is but one. */
  OptionalInt leader() {
    return IntStream.range(0, count())
        .filter(i -> mode(i).matches("leader|standalone"))
        .findFirst();
  }

  boolean isWhole() {
    return IntStream.range(0, count()).noneMatch(i -> mode(i).isEmpty()) && leader().isPresent();
  }

  boolean serves(int member) {
    return !mode(member).isEmpty();
  }

  /** Returns the mode of a server; empty if it serves no clients. */
  private String mode(int member) {
    return status(member, "Mode: ");
  }

  /**
   * Returns how many transactions the leader has applied in its time as leader; 0 if none leads.
   */
  long transactions() {
    return leader().stream()
        .mapToObj(member -> status(member, "Zxid: "))
        .filter(zxid -> !zxid.isEmpty())
        .mapToLong(zxid -> Long.decode(zxid) & TRANSACTION)
        .sum();
  }

  /** Returns what a server says under a heading; empty if it serves no clients. */
  private String status(int member, String heading) {
    try (Socket socket = new Socket(address(member), port(member))) {
      socket.setSoTimeout(2_000);
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .filter(line -> line.startsWith(heading))
          .findFirst()
          .map(line -> line.substring(heading.length()))
          .orElse("");
    } catch (IOException down) {
      return "";
    }
  }

  /** Returns the connect string for clients that no fault of the network affects. */
  String connectString() {
    return IntStream.range(0, count())
        .mapToObj(i -> address(i) + ":" + port(i))
        .collect(Collectors.joining(","));
  }

  /** Returns the directories of the transaction logs of the stopped servers. */
  List<Path> logs() {
    return IntStream.range(0, count()).mapToObj(i -> data(i).resolve("version-2")).toList();
  }

  @Override
  public void close() throws Exception {
    for (Jvm member : members) {
      member.close();
    }
  }
}
