package io.callboard.jobs.internal.actor;

import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.placement.Offer;
import io.callboard.store.Member;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Hosts of the members of a cell, as the gate gets to know them from one reading. */
final class HostsSeen {
  private HostsSeen() {}

  /**
   * Returns the hosts that live or drain, and their labels.
   *
   * @param members null if they could not be read
   */
  static GateCommand.Members among(@Nullable List<Member> members) {
    List<Member> all = members == null ? List.of() : members;
    return new GateCommand.Members(
        hosts(all).map(host -> host.name() + "/" + host.member().bootId()).toList(),
        hosts(all)
            .filter(host -> Offer.of(host.member()).draining())
            .map(HostNames.Host::name)
            .toList(),
        labels(all));
  }

  private static Stream<HostNames.Host> hosts(List<Member> members) {
    return members.stream().flatMap(member -> HostNames.of(member).stream());
  }

  private static Map<String, Map<String, String>> labels(List<Member> members) {
    Map<String, Map<String, String>> labels = new TreeMap<>();
    hosts(members)
        .forEach(
            host -> {
              Map<String, String> its = Offer.of(host.member()).locality().labels();
              if (!its.isEmpty()) {
                labels.put(host.name(), its);
              }
            });
    return labels;
  }
}
