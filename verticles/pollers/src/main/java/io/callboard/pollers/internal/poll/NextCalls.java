package io.callboard.pollers.internal.poll;

import io.callboard.pollers.internal.poll.TakenMessage.Stage;
import io.callboard.pollers.internal.poll.TakenMessages.Line;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Decides which calls begin now: those for held messages, and the next poll. */
@Machine
final class NextCalls {
  /** Most submissions that are under way. */
  static final int MOST_SUBMITS = 256;

  /** Most bytes of messages whose submissions are under way; one may exceed it. */
  static final int MOST_SUBMIT_BYTES = 2 << 20;

  /** Least bytes that a message is expected to have, until larger ones come. */
  static final int LEAST_BYTES = 512 << 10;

  /** Most messages of one call. */
  static final int MOST_BATCH = 1_000;

  /** Most calls for single messages that are under way. */
  static final int MOST_SINGLES = 32;

  /** Least time between two polls of which the first found nothing. */
  private static final Duration EMPTY_PAUSE = Duration.ofMillis(200);

  private final PollerRules rules;
  private final RandomGenerator random;
  private final TakenMessages held;
  private final PollerCalls calls;
  private final PollerGate gate;
  private @Nullable Instant polledLast;
  private Instant pollAt;
  private long largest = LEAST_BYTES;

  NextCalls(
      PollerRules rules,
      RandomGenerator random,
      TakenMessages held,
      PollerCalls calls,
      PollerGate gate,
      Instant now) {
    this.rules = rules;
    this.random = random;
    this.held = held;
    this.calls = calls;
    this.gate = gate;
    this.pollAt = now;
  }

  /** The source is open, and may be polled at once. */
  void opened(Instant now) {
    pollAt = now;
  }

  /** A poll has ended. */
  void polled(Collection<SourceMessage> messages, Instant now) {
    Instant last = polledLast == null ? now : polledLast;
    pollAt = messages.isEmpty() ? last.plus(EMPTY_PAUSE) : now;
    if (!messages.isEmpty()) {
      largest = Math.max(LEAST_BYTES, largest - largest / 8);
      messages.forEach(each -> largest = Math.max(largest, each.bytes()));
    }
  }

  /**
   * Begins the calls that may begin.
   *
   * @param polls whether messages may be taken
   * @param isExtended whether the lease of a message is extended
   * @param effects gets the calls
   */
  void begin(
      Instant now, boolean polls, Predicate<TakenMessage> isExtended, List<PollerEffect> effects) {
    submit(now, effects);
    singles(now, effects);
    batch(Line.COMPLETE, PollerCalls.Kind.COMPLETE, now, effects);
    batch(Line.RELEASE, PollerCalls.Kind.RELEASE, now, effects);
    extend(now, isExtended, effects);
    if (polls) {
      poll(now, effects);
    }
  }

  private void submit(Instant now, List<PollerEffect> effects) {
    TakenMessage its;
    while (calls.submits() < MOST_SUBMITS
        && calls.submitBytes() < MOST_SUBMIT_BYTES
        && (its = held.next(Line.SUBMIT, now)) != null) {
      its.stage = its.stage == Stage.READY ? Stage.SUBMITTING : its.stage;
      its.call = calls.begin(its, true);
      effects.add(new PollerEffect.Submit(its.call, its.message, its.attempt));
    }
  }

  private void singles(Instant now, List<PollerEffect> effects) {
    TakenMessage its;
    while (calls.singles() < MOST_SINGLES && (its = held.next(Line.SINGLE, now)) != null) {
      its.call = calls.begin(its, false);
      effects.add(single(its));
    }
  }

  private PollerEffect single(TakenMessage its) {
    if (its.stage == Stage.EMITTING && its.result != null) {
      return new PollerEffect.Emit(its.call, its.message, its.attempt, its.result, its.sent);
    } else if (its.stage == Stage.FAILING) {
      Duration delay = rules.retry().delay(its.attempt, random);
      return new PollerEffect.Fail(its.call, its.receipt(), delay, its.cause);
    }
    return new PollerEffect.Dead(its.call, its.receipt(), its.cause);
  }

  private void batch(Line line, PollerCalls.Kind kind, Instant now, List<PollerEffect> effects) {
    if (!calls.mayBegin(kind, now)) {
      return;
    }
    List<TakenMessage> batch = new ArrayList<>();
    TakenMessage its;
    while (batch.size() < MOST_BATCH && (its = held.next(line, now)) != null) {
      its.call = -1; // it is in this batch
      batch.add(its);
    }
    if (!batch.isEmpty()) {
      long call = calls.begin(kind, batch, now);
      batch.forEach(each -> each.call = call);
      List<String> receipts = batch.stream().map(TakenMessage::receipt).toList();
      effects.add(
          kind == PollerCalls.Kind.COMPLETE
              ? new PollerEffect.Complete(call, receipts)
              : new PollerEffect.Release(call, receipts));
    }
  }

  private void extend(Instant now, Predicate<TakenMessage> isExtended, List<PollerEffect> effects) {
    if (!calls.mayBegin(PollerCalls.Kind.EXTEND, now)) {
      return;
    }
    List<TakenMessage> batch = new ArrayList<>();
    for (TakenMessage each : held.takeLeases(now, MOST_BATCH)) {
      if (leaves(each)) { // it is looked at again, should that fail
        held.extendAfter(each, now);
      } else if (isExtended.test(each)) {
        batch.add(each);
      }
    }
    if (!batch.isEmpty()) {
      long call = calls.begin(PollerCalls.Kind.EXTEND, batch, now);
      List<String> receipts = batch.stream().map(TakenMessage::receipt).toList();
      effects.add(new PollerEffect.Extend(call, receipts));
    }
  }

  /** Returns whether a message is being acknowledged or given back. */
  static boolean leaves(TakenMessage its) {
    return its.call != 0 && Line.of(its.stage) != Line.SUBMIT && its.stage != Stage.EMITTING;
  }

  /** Returns how many messages have room, if all are as large as the largest of late. */
  private int fits() {
    long room = rules.bytes() - held.bytes();
    return room <= 0 ? 0 : (int) Math.min(MOST_BATCH, Math.max(1, room / largest));
  }

  private void poll(Instant now, List<PollerEffect> effects) {
    int most = Math.min(MOST_BATCH, fits());
    int free = Math.min(gate.free(rules.credit() - held.size(), now), most);
    if (free < 1 || pollAt.isAfter(now) || !calls.mayBegin(PollerCalls.Kind.POLL, now)) {
      return;
    }
    polledLast = now;
    long call = calls.begin(PollerCalls.Kind.POLL, List.of(), now);
    effects.add(new PollerEffect.Poll(call, free));
  }
}
