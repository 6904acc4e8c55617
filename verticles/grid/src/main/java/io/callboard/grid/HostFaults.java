package io.callboard.grid;

import io.callboard.store.Member;
import java.util.Map;
import java.util.TreeMap;

/** Faults of hosts that can do no work though their node lives, as the hosts publish them. */
public final class HostFaults {
  /** Name of the fact that says why a host can do no work; empty or absent if it can. */
  public static final String FACT = "host.fault";

  private HostFaults() {}

  /** Returns the faults that members publish, by name of the member. */
  static Map<String, String> of(Iterable<Member> members) {
    Map<String, String> faults = new TreeMap<>();
    for (Member member : members) {
      String fault = member.facts().get(FACT);
      if (fault != null && !fault.isEmpty()) {
        faults.put(member.name(), fault);
      }
    }
    return faults;
  }
}
