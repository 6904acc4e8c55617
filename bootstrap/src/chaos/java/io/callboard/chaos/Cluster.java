package io.callboard.chaos;

import io.callboard.chaos.hosts.Await;
import io.callboard.chaos.hosts.Jvm;
import io.callboard.chaos.hosts.LoopbackNetwork;
import io.callboard.chaos.hosts.Network;
import io.callboard.chaos.hosts.Progress;
import io.callboard.chaos.sources.SourceStage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Target of the chaos: nodes of the built jar and ZooKeeper servers, each a process, and the
 * network between them. The driver is one more host, the last.
 */
final class Cluster implements AutoCloseable {
  static final Duration SESSION = Duration.ofSeconds(4);
  static final String CELL = "chaos";

  /** Maximum deviation of the clocks of hosts. */
  private static final Duration MOST_APART = Duration.ofSeconds(20);

  private static final Duration READY = Duration.ofSeconds(90);

  /** Maximum number of attempts to start a node at the beginning. */
  private static final int MOST_STARTS = 3;

  private final Path directory;
  private final String classPath;
  private final String bug;
  private final Servers servers;
  private final Network network;
  private final long seed;
  private final List<Member> members = new ArrayList<>();
  private @Nullable SourceStage sources;
  private @Nullable Integer instancesKept;

  /**
   * Starts the servers.
   *
   * @param network connects all; ends with this
   * @param seed determines how far the clocks of hosts are apart, if they can be
   */
  Cluster(
      Path directory,
      String classPath,
      int nodes,
      int ensemble,
      String bug,
      Network network,
      long seed)
      throws Exception {
    this.directory = directory;
    this.classPath = classPath;
    this.bug = bug;
    this.network = network;
    this.seed = seed;
    this.servers = new Servers(directory, classPath, ensemble, network);
    for (int i = 1; i <= nodes; i++) {
      network.add(i);
      members.add(new Member(i, this));
    }
    for (int from = 1; from <= nodes + 1; from++) {
      connect(from);
    }
  }

  /** Connects a host with all others, and writes their addresses into its hosts file. */
  private void connect(int from) throws Exception {
    StringBuilder hosts = new StringBuilder("127.0.0.1 localhost\n");
    hosts.append("%s driver%n".formatted(network.own(driver())));
    for (Member to : members) {
      if (to.number() != from) {
        network.connect(from, to.number(), to.busPort());
      }
      hosts.append("%s %s%n".formatted(network.address(from, to.number()), to.name()));
    }
    for (int server = 0; server < servers.count(); server++) {
      network.connect(from, Servers.host(server), servers.port(server));
      network.up(Servers.host(server));
    }
    Files.writeString(hosts(from), hosts);
  }

  Path hosts(int of) {
    return directory.resolve("hosts-" + of);
  }

  /** Returns the driver's number as a host. */
  int driver() {
    return members.size() + 1;
  }

  /** Returns the connect string of the ensemble as seen by a host. */
  String zookeeperOf(int host) {
    return IntStream.range(0, servers.count())
        .mapToObj(i -> network.address(host, Servers.host(i)) + ":" + servers.port(i))
        .collect(Collectors.joining(","));
  }

  /** Returns every way between a host and the ensemble, in both directions. */
  List<Network.Way> waysToServers(int host) {
    return IntStream.range(0, servers.count())
        .mapToObj(i -> new Network.Way(host, Servers.host(i)))
        .flatMap(way -> Stream.of(way, way.back()))
        .toList();
  }

  /**
   * Returns the ways from the ensemble to a host: with them cut, its requests arrive, and no answer
   * comes back.
   */
  List<Network.Way> waysFromServers(int host) {
    return IntStream.range(0, servers.count())
        .mapToObj(i -> new Network.Way(Servers.host(i), host))
        .toList();
  }

  /** Returns every way of a server, to nodes and other servers, in both directions. */
  List<Network.Way> waysOfServer(int server) {
    List<Network.Way> ways = new ArrayList<>(waysToOtherServers(server));
    for (Member member : members) {
      ways.add(new Network.Way(Servers.host(server), member.number()));
    }
    return ways.stream().flatMap(way -> Stream.of(way, way.back())).toList();
  }

  /** Returns the ways from a server to the others. */
  List<Network.Way> waysToOtherServers(int server) {
    return IntStream.range(0, servers.count())
        .filter(other -> other != server)
        .mapToObj(other -> new Network.Way(Servers.host(server), Servers.host(other)))
        .toList();
  }

  /** Returns the ways by which the other nodes reach a host. */
  List<Network.Way> waysIn(int host) {
    return members.stream()
        .filter(other -> other.number() != host)
        .map(other -> new Network.Way(other.number(), host))
        .toList();
  }

  List<Network.Way> waysOut(int host) {
    return waysIn(host).stream().map(Network.Way::back).toList();
  }

  /** Returns whether all hosts share the loopback interface, and so a clock. */
  boolean isLoopback() {
    return network instanceof LoopbackNetwork;
  }

  /** Returns how far the clock of a host is ahead. */
  Duration clockOf(int host) {
    int most = (int) MOST_APART.toMillis();
    return isLoopback() ? Duration.ZERO : NodeFaults.between(new Random(seed + host), -most, most);
  }

  /** Gives the nodes sources, before they start. */
  void addSources() throws IOException {
    sources = new SourceStage(directory, network.own(driver()));
  }

  /** Returns what the nodes' sources need; empty if they have none. */
  Optional<SourceStage> sources() {
    return Optional.ofNullable(sources);
  }

  /**
   * Lets the nodes keep so many instances that have ended, before they start: the judge asks for
   * every instance at the end.
   */
  void keepInstances(int number) {
    instancesKept = number;
  }

  /** Returns how many instances that have ended the nodes keep; empty for their default. */
  Optional<Integer> instancesKept() {
    return Optional.ofNullable(instancesKept);
  }

  void start() throws Exception {
    Await.until("the ensemble is whole", READY, servers::isWhole);
    for (Member member : members) {
      member.start();
    }
    for (int starts = 1; !areReady(starts == MOST_STARTS); starts++) {
      startTheDead();
    }
  }

  /**
   * Waits for the nodes; returns false if one has ended, which a machine that is too busy for
   * sessions may cause before there is any fault.
   */
  private boolean areReady(boolean last) throws Exception {
    try {
      awaitReady();
      return true;
    } catch (IOException e) {
      if (last) {
        throw e;
      }
      Progress.say("started again: " + e.getMessage());
      return false;
    }
  }

  private void startTheDead() throws Exception {
    for (Member member : members) {
      if (!member.process().isAlive()) {
        member.start();
      }
    }
  }

  /** Nodes and servers that have ended by themselves, and should not have. */
  List<String> ended() throws IOException {
    servers.startLeftBehind();
    Stream<Jvm> nodes = members.stream().map(Member::process);
    Stream<Jvm> ensemble = IntStream.range(0, servers.count()).mapToObj(servers::member);
    return Stream.concat(nodes, ensemble).flatMap(each -> each.ended().stream()).toList();
  }

  /** Restarts and heals everything that a failed fault has left behind. */
  void revive() throws Exception {
    network.heal();
    for (int i = 0; i < servers.count(); i++) {
      if (!servers.member(i).isAlive()) {
        servers.restart(i);
      }
    }
    startTheDead();
    awaitReady();
  }

  void awaitReady() throws Exception {
    for (Member member : members) {
      Await.until(
          member.name() + " is ready",
          READY,
          () -> member.isReady() || member.process().ended().isPresent());
      if (member.process().ended().isPresent()) {
        throw new IOException(member.process().ended().get());
      }
    }
  }

  Path directory() {
    return directory;
  }

  /** Returns the directory in which steps of workflows write. */
  Path steps() {
    return directory.resolve("steps");
  }

  /** Returns the bug that nodes are given. */
  String bug() {
    return bug;
  }

  String classPath() {
    return classPath;
  }

  Network network() {
    return network;
  }

  Servers servers() {
    return servers;
  }

  List<Member> members() {
    return members;
  }

  Member member(String name) {
    return members.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  /** Stops the nodes in order, then the servers. */
  void stop() throws Exception {
    network.heal();
    for (Member member : members) {
      if (member.process().isAlive()) {
        member.terminate();
      }
    }
    servers.close();
  }

  @Override
  public void close() throws Exception {
    try (servers;
        network) {
      for (Member member : members) {
        member.close();
      }
      if (sources != null) {
        sources.close();
      }
    }
  }
}
