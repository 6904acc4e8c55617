package io.callboard.internal.outbox;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.feed.Feeds;
import io.callboard.store.BlobKey;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.OutboxChange;
import io.callboard.store.ParkedKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Division of one unit's messages into those that go into their mailboxes with it, those that stay
 * in the outbox, and those that are dropped. Not thread-safe.
 */
final class PostedUnit {
  private final Write write;
  private final Set<BlobKey> gone;
  private final Outbox outbox;
  private final Map<ActorPath, List<Envelope>> direct = new LinkedHashMap<>();
  private final Map<ActorPath, List<Envelope>> spilled = new LinkedHashMap<>();
  private final Map<ActorPath, List<Envelope>> dropped = new LinkedHashMap<>();
  private final Map<ActorPath, String> stuck = new HashMap<>();
  private final Set<ParkedKey> unparked = new HashSet<>();
  private final long sinceNanos;
  private long dueNanos;
  private int failures;

  /**
   * @param mostDirect the most receivers that one commit serves
   */
  PostedUnit(Write write, CommitUnit unit, Outbox outbox, int mostDirect, long nowNanos) {
    this.write = write;
    this.gone = unit.blobs();
    this.outbox = outbox;
    this.sinceNanos = nowNanos;
    this.dueNanos = nowNanos;
    outbox.posted(write.outbox());
    unit.outgoing()
        .forEach(
            (receiver, mail) -> {
              boolean stays = outbox.holds(receiver) || direct.size() >= mostDirect;
              boolean waits = stays && !Feeds.isFeed(receiver);
              (waits ? spilled : direct).put(receiver, mail);
            });
  }

  /** Returns whether the outbox has room for the messages that stay in it. */
  boolean fits() {
    return spilled.isEmpty() || outbox.takes(spilled);
  }

  /** Returns why the outbox gets no room before an operator acts; empty if it has, or may. */
  Optional<String> blocked() {
    return fits() ? Optional.empty() : outbox.blocked(spilled);
  }

  /**
   * Keeps the messages to {@code receiver} in the outbox; returns false if it has no room, or the
   * receiver is a feed, whose order is that of the commits.
   */
  boolean spill(ActorPath receiver) {
    List<Envelope> mail = direct.get(receiver);
    if (mail == null || Feeds.isFeed(receiver)) {
      return false;
    }
    Map<ActorPath, List<Envelope>> more = new LinkedHashMap<>(spilled);
    more.put(receiver, mail);
    if (!outbox.takes(more)) {
      return false;
    }
    direct.remove(receiver);
    spilled.put(receiver, mail);
    return true;
  }

  /** Spills the messages to a receiver to which none can be sent before an operator acts. */
  boolean stuck(ActorPath receiver, String why) {
    boolean stays = spill(receiver);
    if (stays) {
      stuck.put(receiver, why);
    }
    return stays;
  }

  void drop(ActorPath receiver) {
    List<Envelope> mail = direct.remove(receiver);
    if (mail != null) {
      dropped.put(receiver, mail);
    }
  }

  Map<ActorPath, List<Envelope>> dropped() {
    return dropped;
  }

  /** Returns the unit to commit, written over that version of the record. */
  CommitUnit unit(int version) {
    OutboxChange spills = spilled.isEmpty() ? OutboxChange.NONE : outbox.change(spilled);
    unparked.addAll(outbox.parked(write.actor(), write.outbox()));
    OutboxChange change = outbox.present(write.outbox()).and(spills);
    return new CommitUnit(
        Optional.of(write.withVersion(version).withOutbox(change)),
        new LinkedHashMap<>(direct),
        unparked,
        gone);
  }

  void committed(Outbox.Pause pause, long nowNanos) {
    if (!spilled.isEmpty()) {
      outbox.made(spilled, nowNanos);
    }
    stuck.forEach((receiver, why) -> outbox.stuck(receiver, why, pause, nowNanos));
    outbox.changed(write.actor(), write.outbox(), nowNanos);
  }

  void pause(Outbox.Pause pause, long nowNanos) {
    failures++;
    dueNanos = nowNanos + pause.nanos(failures);
  }

  long dueNanos() {
    return dueNanos;
  }

  long waitedNanos(long nowNanos) {
    return nowNanos - sinceNanos;
  }
}
