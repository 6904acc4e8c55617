package io.callboard.chaos;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A set of faults. */
enum Scenario {
  ALL("all of those below"),
  NODES("nodes are killed, stopped in order, frozen below and past their session"),
  NETWORK("nodes are cut from each other and from ZooKeeper, one way and both"),
  SERVERS("ZooKeeper's leader, members, quorum and whole ensemble are lost or frozen"),
  DISK("a ZooKeeper server has no room left"),
  OPERATORS("nodes drain, roles are handed over, nodes are restarted one by one"),
  HOSTS(
      "a host has no room or its directory of runs is gone, a host drains and takes no run, the scheduler's actors are stopped, a frozen node without quorum");

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
              .filter(each -> each != ALL)
              .flatMap(each -> each.faults(cluster, operators).stream())
              .toList();
      case NODES -> new NodeFaults(cluster, operators).all();
      case NETWORK -> new NetworkFaults(cluster).all();
      case SERVERS -> new ServerFaults(cluster.servers()).all();
      case DISK -> new ServerFaults(cluster.servers()).disk();
      case OPERATORS -> operators.all();
      case HOSTS -> new HostFaults(cluster, operators).all();
    };
  }

  static List<String> labels() {
    return Stream.of(values()).map(Scenario::label).toList();
  }
}
