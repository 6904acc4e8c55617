package io.callboard.jobs.internal.actor;

import io.callboard.Callboard;
import io.callboard.store.Member;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Names of the hosts of a node: its own name, and those of further hosts that it serves, each with
 * a {@link HostMonitor} and slots of its own. They live, drain and die with their node.
 */
public final class HostNames {
  private static final String FACT = "jobs.hosts";
  private static final String SEPARATOR = ",";

  private HostNames() {}

  /** Host of a member of the cell. */
  record Host(String name, Member member) {}

  /**
   * Publishes the further hosts of a node, instead of those published before.
   *
   * @param names names that no node and no other host of the cell has
   * @throws IllegalArgumentException if a name contains a comma or a slash
   */
  public static Future<Void> publish(Callboard callboard, Collection<String> names) {
    for (String name : names) {
      if (name.isEmpty() || name.contains(SEPARATOR) || name.contains("/")) {
        throw new IllegalArgumentException(
            "the name of a host must not be empty, nor contain a comma or a slash: \"%s\""
                .formatted(name));
      }
    }
    return callboard.publish(FACT, String.join(SEPARATOR, names));
  }

  /** Returns the hosts of a member, its own first. */
  static List<Host> of(Member member) {
    List<Host> hosts = new ArrayList<>(List.of(new Host(member.name(), member)));
    String further = member.facts().getOrDefault(FACT, "");
    for (String name : further.isEmpty() ? new String[0] : further.split(SEPARATOR)) {
      hosts.add(new Host(name, member));
    }
    return hosts;
  }
}
