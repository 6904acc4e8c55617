package io.callboard.pollers.internal.poll;

import io.callboard.pollers.model.SourceMode;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Reasons, apart from its credit, that keep a poller from taking messages. */
@Machine
final class PollerGate {
  private final ExponentialBackoff pauses;
  private final RandomGenerator random;
  private SourceMode mode;
  private @Nullable String by;
  private @Nullable Integer room;
  private String roomWhy = "";
  private Instant refusedUntil;
  private String refusedWhy = "";
  private int refusals;

  PollerGate(
      ExponentialBackoff pauses,
      RandomGenerator random,
      SourceMode mode,
      @Nullable String by,
      Instant now) {
    this.pauses = pauses;
    this.random = random;
    this.mode = mode;
    this.by = by;
    this.refusedUntil = now;
  }

  void mode(SourceMode next, @Nullable String itsBy) {
    mode = next;
    by = itsBy;
  }

  SourceMode mode() {
    return mode;
  }

  @Nullable String by() {
    return by;
  }

  boolean isDraining() {
    return mode == SourceMode.DRAINING;
  }

  void room(@Nullable Integer free, String why) {
    room = free;
    roomWhy = why;
  }

  /** Replaces the reason why the target has no room, which may not hold any more. */
  void roomIsNotKnown(String cause) {
    if (!hasRoom()) {
      roomWhy = "it is not known at present what may be started: " + cause;
    }
  }

  void took(int count) {
    room = room == null ? null : Math.max(0, room - count);
  }

  boolean hasRoom() {
    return room == null || room > 0;
  }

  String roomWhy() {
    return roomWhy;
  }

  /** A submission was refused; returns when it may be repeated. */
  Instant refused(Outcome.Refused refused, Instant now) {
    if (!isRefused(now)) { // those that were sent together count once
      refusals++;
    }
    Duration pause = pauses.delay(Math.max(1, refusals), random);
    Instant until = now.plus(pause.compareTo(refused.after()) > 0 ? pause : refused.after());
    refusedUntil = until.isAfter(refusedUntil) ? until : refusedUntil;
    refusedWhy = refused.why();
    return refusedUntil;
  }

  void accepted() {
    refusals = 0;
  }

  boolean isRefused(Instant now) {
    return refusedUntil.isAfter(now);
  }

  Instant refusedUntil() {
    return refusedUntil;
  }

  String refusedWhy() {
    return refusedWhy;
  }

  /** Returns how many of {@code credit} messages may be taken now. */
  int free(int credit, Instant now) {
    if (mode != SourceMode.RUN || isRefused(now)) {
      return 0;
    }
    return room == null ? credit : Math.min(credit, room);
  }
}
