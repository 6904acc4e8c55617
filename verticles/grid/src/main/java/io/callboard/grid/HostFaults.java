package io.callboard.grid;

import io.callboard.store.Member;
import java.util.Map;
import java.util.TreeMap;

/** Hosts whose node lives and can do no work, by what they publish of themselves. */
public final class HostFaults {
  /** The fact that says why a host can do no work; empty or absent if it can. */
  public static final String FACT = "host.fault";

  private HostFaults() {}

  /** By name, those that say so. */
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
