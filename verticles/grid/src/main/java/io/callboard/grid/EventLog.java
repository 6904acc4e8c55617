package io.callboard.grid;

import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Log of the events of the cell, with the state that the last pass has seen, to compare the next
 * one with. A machine without I/O. It is the document of the monitor's role ({@link EventKeeper}),
 * so it outlives each holder.
 *
 * <p>Failure windows: what comes and goes between two scans (5 s) is not seen, only that a node
 * which was lost is so no more; what a node notes itself is lost with it if it dies before its next
 * report (5 s) or the monitor's next scan.
 *
 * @param events the last ones, oldest first
 * @param members names of the members by their boot ids
 * @param holders holders of roles
 * @param noted number of the last note taken over from each member that had one, by boot id
 */
@Machine
record EventLog(
    List<GridEvent> events,
    Map<String, String> members,
    Map<String, Holder> holders,
    Map<String, Long> noted) {
  /** Maximum number of events. */
  static final int MOST = 200;

  private static final Set<String> OF_NODES =
      Set.of(GridEvent.NODE_JOINED, GridEvent.NODE_LEFT, GridEvent.NODE_LOST);

  static final EventLog EMPTY = new EventLog(List.of(), Map.of(), Map.of(), Map.of());

  /** Holder of a role. */
  record Holder(String name, String boot) {}

  /** Copies the collections. */
  EventLog {
    events = List.copyOf(events);
    members = Map.copyOf(members);
    holders = Map.copyOf(holders);
    noted = Map.copyOf(noted);
  }

  /**
   * Returns the log after a further pass.
   *
   * @param roles names of the roles
   * @param notes what members noted, by their boot ids
   */
  EventLog after(
      Map<Partition, Lease> leases,
      Collection<Member> present,
      Collection<String> roles,
      Map<String, List<NodeEvents.Note>> notes,
      Instant now) {
    List<GridEvent> found = new ArrayList<>(events);
    Map<String, String> names =
        present.stream().collect(Collectors.toMap(Member::bootId, Member::name, (a, b) -> a));
    joined(present, found);
    gone(leases, present, names, found, now);
    lostNoMore(leases, present, names.values(), found, now);
    Map<String, Holder> holding = moved(leases, roles, names.keySet(), found);
    Map<String, Long> last = taken(names, notes, found);
    return new EventLog(merged(found, List.of()), names, holding, last);
  }

  /** Returns events together with those that a node has recorded, each id once. */
  static List<GridEvent> merged(List<GridEvent> events, List<GridEvent> noted) {
    Map<String, GridEvent> byId = new LinkedHashMap<>();
    events.forEach(event -> byId.putIfAbsent(event.id(), event));
    noted.forEach(event -> byId.putIfAbsent(event.id(), event));
    List<GridEvent> all = new ArrayList<>(byId.values());
    all.sort(Comparator.comparing(GridEvent::at).thenComparing(GridEvent::id));
    return List.copyOf(all.subList(Math.max(0, all.size() - MOST), all.size()));
  }

  /** Returns the log with further events. */
  EventLog with(List<GridEvent> further) {
    return new EventLog(merged(events, further), members, holders, noted);
  }

  private void joined(Collection<Member> present, List<GridEvent> found) {
    for (Member member : present) {
      if (!members.containsKey(member.bootId())) {
        found.add(
            new GridEvent(
                "joined:%s:%d".formatted(member.bootId(), member.since().toEpochMilli()),
                member.since(),
                GridEvent.NODE_JOINED,
                member.name(),
                "it joined the cell"));
      }
    }
  }

  private void gone(
      Map<Partition, Lease> leases,
      Collection<Member> alive,
      Map<String, String> present,
      List<GridEvent> found,
      Instant now) {
    Set<String> names = new HashSet<>(present.values());
    members.forEach(
        (boot, name) -> {
          if (present.containsKey(boot)) {
            return;
          }
          Lease own = leases.get(Partition.ofRole(NodeActor.role(name)));
          boolean held = own != null && !own.isFree() && own.ownerBoot().equals(boot);
          Optional<String> successor = own != null && held ? renamed(own, alive) : Optional.empty();
          boolean lost = held && successor.isEmpty();
          String detail =
              names.contains(name)
                  ? "it was started again"
                  : successor.orElse(
                      lost
                          ? "its session ended, and it did not leave the cell by itself"
                          : "it left the cell");
          found.add(
              new GridEvent(
                  "gone:%s:%d".formatted(boot, now.toEpochMilli()),
                  now,
                  lost ? GridEvent.NODE_LOST : GridEvent.NODE_LEFT,
                  name,
                  detail));
        });
  }

  private static Optional<String> renamed(Lease own, Collection<Member> alive) {
    return FormerNames.successor(own, alive)
        .map(member -> "it was started again as node " + member.name());
  }

  /**
   * Adds the end of a loss: the role of a lost node is free, given back in a life between scans, or
   * the node lives on under another name.
   */
  private static void lostNoMore(
      Map<Partition, Lease> leases,
      Collection<Member> alive,
      Collection<String> present,
      List<GridEvent> found,
      Instant now) {
    Map<String, GridEvent> newest = new TreeMap<>();
    found.stream()
        .filter(event -> OF_NODES.contains(event.kind()))
        .forEach(
            event ->
                newest.merge(event.subject(), event, (a, b) -> b.at().isBefore(a.at()) ? a : b));
    newest.forEach(
        (name, last) -> {
          Lease own = leases.get(Partition.ofRole(NodeActor.role(name)));
          if (!last.kind().equals(GridEvent.NODE_LOST) || present.contains(name) || own == null) {
            return;
          }
          Optional<String> end =
              own.isFree()
                  ? Optional.of("it left the cell between two scans, or was forgotten")
                  : renamed(own, alive);
          end.ifPresent(
              detail ->
                  found.add(
                      new GridEvent(
                          "back:%s:%d".formatted(name, own.epoch()),
                          now,
                          GridEvent.NODE_LEFT,
                          name,
                          detail)));
        });
  }

  private Map<String, Holder> moved(
      Map<Partition, Lease> leases,
      Collection<String> roles,
      Set<String> present,
      List<GridEvent> found) {
    Map<String, Holder> holding = new TreeMap<>(holders);
    holding.keySet().retainAll(roles);
    for (String role : roles) {
      Lease lease = leases.get(Partition.ofRole(role));
      if (role.startsWith(NodeActor.PREFIX)
          || lease == null
          || lease.isFree()
          || !present.contains(lease.ownerBoot())) {
        continue;
      }
      Holder now = new Holder(lease.owner(), lease.ownerBoot());
      Holder before = holding.put(role, now);
      if (before != null && !before.equals(now)) {
        found.add(
            new GridEvent(
                "role:%s:%d".formatted(role, lease.epoch()),
                lease.at(),
                GridEvent.ROLE_MOVED,
                role,
                "node %s holds it, before it %s did".formatted(now.name(), before.name())));
      }
    }
    return holding;
  }

  private Map<String, Long> taken(
      Map<String, String> present,
      Map<String, List<NodeEvents.Note>> notes,
      List<GridEvent> found) {
    Map<String, Long> last = new TreeMap<>(noted);
    last.keySet().retainAll(present.keySet());
    last.values().removeIf(number -> number == 0); // as an earlier version wrote
    notes.forEach(
        (boot, all) -> {
          String name = present.get(boot);
          if (name == null) {
            return;
          }
          boolean known = members.containsKey(boot);
          for (NodeEvents.Note note : all) {
            long before = last.getOrDefault(boot, 0L);
            if (note.number() > before) {
              if (known && note.number() > before + 1) {
                found.add(missed(name, boot, note, before));
              }
              known = true;
              last.put(boot, note.number());
              found.add(note.event(boot));
            }
          }
        });
    return last;
  }

  /** Returns the event that a node had more notes than it keeps before they were taken over. */
  private static GridEvent missed(String name, String boot, NodeEvents.Note next, long before) {
    return new GridEvent(
        "missed:%s:%d".formatted(boot, next.number()),
        next.at(),
        GridEvent.NOTES_LOST,
        name,
        "%d notes lost: it keeps the last %d until they are taken over"
            .formatted(next.number() - before - 1, NodeEvents.MOST));
  }
}
