package io.callboard.chaos;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** A set of faults. */
enum Scenario {
  ALL("all of those below, but jobs, sources and workflows"),
  NODES("nodes are killed, stopped in order, frozen below and past their session"),
  NETWORK("nodes are cut from each other and from ZooKeeper, one way and both"),
  SERVERS("ZooKeeper's leader, members, quorum and whole ensemble are lost or frozen"),
  DISK("a ZooKeeper server has no room left"),
  OPERATORS("nodes drain, roles are handed over, nodes are restarted one by one"),
  HOSTS(
      "a host has no room or its directory of runs is gone, a host drains and takes no run, the scheduler's actors are stopped, a frozen node without quorum"),
  JOBS(
      "jobs with limits, priorities, retries, cancellations and holds, on five nodes; the gate's node is killed, frozen and cut off, and the faults of nodes, network, servers, disk, operators and hosts"),
  SOURCES(
      "articles in a directory and in Redis, if that is installed, each of which starts a workflow; the nodes that poll, all nodes and Redis are killed, and nodes are cut off"),
  WORKFLOWS(
      "workflows of ten steps on three nodes, one of which is killed or cut off now and then; --instances, --every and --no-faults belong to it");

  /** Scenarios with a load of their own. */
  private static final Set<Scenario> APART = EnumSet.of(ALL, JOBS, SOURCES, WORKFLOWS);

  private final String about;

  Scenario(String about) {
    this.about = about;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns one line for people. */
  String about() {
    return about;
  }

  List<Fault> faults(Cluster cluster, Operators operators) {
    return switch (this) {
      case ALL ->
          Arrays.stream(values())
              .filter(each -> !APART.contains(each))
              .flatMap(each -> each.faults(cluster, operators).stream())
              .toList();
      case NODES -> new NodeFaults(cluster, operators).all();
      case NETWORK -> new NetworkFaults(cluster).all();
      case SERVERS -> new ServerFaults(cluster.servers()).all();
      case DISK -> new ServerFaults(cluster.servers()).disk();
      case OPERATORS -> operators.all();
      case HOSTS -> new HostFaults(cluster, operators).all();
      case SOURCES, WORKFLOWS ->
          Stream.of(new NodeFaults(cluster, operators).kills(), NETWORK.faults(cluster, operators))
              .flatMap(List::stream)
              .toList();
      case JOBS ->
          Stream.of(
                  new GateFaults(cluster).all(),
                  NODES.faults(cluster, operators),
                  NETWORK.faults(cluster, operators),
                  SERVERS.faults(cluster, operators),
                  DISK.faults(cluster, operators),
                  OPERATORS.faults(cluster, operators),
                  HOSTS.faults(cluster, operators))
              .flatMap(List::stream)
              .toList();
    };
  }

  /** Returns the number of nodes unless another is given. */
  int nodes() {
    return this == JOBS ? 5 : 3;
  }

  static List<String> labels() {
    return Stream.of(values()).map(Scenario::label).toList();
  }
}
