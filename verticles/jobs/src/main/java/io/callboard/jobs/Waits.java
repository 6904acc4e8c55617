package io.callboard.jobs;

import io.callboard.jobs.GateState.Waiting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Says why a waiting job does not run. Pure. */
final class Waits {
  private Waits() {}

  /** Every reason that holds; empty if the gate does not keep the job. */
  static List<Blocked> reasons(
      GateState state, Map<String, Grants.Host> hosts, String job, Instant now) {
    Waiting waiting = state.waiting().get(job);
    if (waiting == null) {
      return List.of();
    }
    List<Blocked> reasons = new ArrayList<>();
    if (!Grants.isDue(waiting, now)) {
      reasons.add(
          new Blocked(
              "not-due",
              "it is due at " + waiting.notBefore(),
              null,
              null,
              null,
              waiting.notBefore()));
    }
    JobType type = state.types().get(waiting.type());
    int running = (int) state.running(waiting.type());
    if (type == null) {
      reasons.add(new Blocked("gate", "its type does not exist", null, null, null, null));
    } else if (type.paused()) {
      reasons.add(
          new Blocked(
              "paused", "type %s is paused".formatted(type.name()), null, null, null, null));
    } else if (running >= type.limit()) {
      reasons.add(
          new Blocked(
              "gate",
              "type %s has %d of %d runs".formatted(type.name(), running, type.limit()),
              running,
              type.limit(),
              position(state, job, now),
              null));
    }
    if (hosts.isEmpty()) {
      reasons.add(new Blocked("no-host", "no host has reported yet", null, null, null, null));
    } else if (hosts.values().stream()
        .allMatch(host -> state.runningOn(host.name()) >= host.slots())) {
      int slots = hosts.values().stream().mapToInt(Grants.Host::slots).sum();
      reasons.add(
          new Blocked(
              "no-slot",
              "all %d slots of %d hosts are taken".formatted(slots, hosts.size()),
              state.handles().size(),
              slots,
              position(state, job, now),
              null));
    }
    return reasons;
  }

  /** Its place among the due jobs of all types, from 1. */
  private static int position(GateState state, String job, Instant now) {
    List<String> order =
        state.waiting().entrySet().stream()
            .filter(entry -> Grants.isDue(entry.getValue(), now))
            .sorted(Grants.order(now))
            .map(Map.Entry::getKey)
            .toList();
    return order.indexOf(job) + 1;
  }
}
