package io.callboard.grid;

import io.callboard.admin.FailureZoneStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.store.Member;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Last {@value #MOST} events of this node, published until the grid monitor has taken them over.
 * Thread-safe.
 */
final class NodeEvents {
  /** Fact by which a node publishes its notes. */
  static final String FACT = "grid.notes";

  static final int MOST = 20;

  private static final Logger log = LoggerFactory.getLogger(NodeEvents.class);

  private final Deque<Note> notes = new ArrayDeque<>();
  private Set<ActorPath> failed = new HashSet<>();
  private long last;

  /**
   * Event that a node has recorded.
   *
   * @param number from 1 on, in the order of the notes of one start of a node
   */
  record Note(long number, Instant at, String kind, String subject, String detail) {
    GridEvent event(String boot) {
      return new GridEvent("note:%s:%d".formatted(boot, number), at, kind, subject, detail);
    }
  }

  /** Stored form of the fact. */
  record Published(int f, List<Note> notes) {
    static final int FORMAT = 1;
  }

  synchronized void add(Instant at, String kind, String subject, String detail) {
    GridEvent event = new GridEvent("", at, kind, subject, detail); // which cuts its texts
    notes.add(new Note(++last, at, kind, event.subject(), event.detail()));
    if (notes.size() > MOST) {
      notes.remove();
    }
  }

  /** Records the failure zones that have failed since the last pass. */
  synchronized void look(List<FailureZoneStatus> zones, Instant now) {
    Set<ActorPath> seen = new HashSet<>();
    for (FailureZoneStatus zone : zones) {
      if (zone.state() == FailureZoneStatus.State.FAILED) {
        seen.add(zone.path());
        if (!failed.contains(zone.path())) {
          Instant at = zone.lastFailureAt() == null ? now : zone.lastFailureAt();
          String why = zone.lastFailure() == null ? "it failed" : zone.lastFailure();
          add(at, GridEvent.ZONE_FAILED, zone.path().toString(), why);
        }
      }
    }
    failed = seen;
  }

  synchronized List<Note> all() {
    return List.copyOf(notes);
  }

  /** Returns the fact; an empty text without events. */
  String fact() {
    List<Note> all = all();
    return all.isEmpty()
        ? ""
        : new String(Json.bytes(new Published(Published.FORMAT, all)), StandardCharsets.UTF_8);
  }

  /** Returns the events that a member has published; an unreadable fact counts as none. */
  static List<Note> of(Member member) {
    String fact = member.facts().getOrDefault(FACT, "");
    if (fact.isEmpty()) {
      return List.of();
    }
    try {
      return Json.read(
              "the notes of node " + member.name(),
              fact.getBytes(StandardCharsets.UTF_8),
              Published.class)
          .notes();
    } catch (CodecException e) {
      log.debug("the notes of node {} cannot be read", member.name(), e);
      return List.of();
    }
  }
}
