package io.callboard.internal.outbox;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.DeliveryEntry;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.OutboxEntry;
import io.callboard.codecs.TimerEntry;
import io.callboard.store.CommitUnit;
import io.callboard.store.OutboxChange;
import io.callboard.store.ParkedKey;
import io.callboard.store.StoredOutbox;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Outbox of one actor: sent messages that did not go into the mailboxes of their receivers with the
 * commit, because these are full, or more than one commit can serve. A machine without I/O that
 * says what the relay does next. Not thread-safe.
 *
 * <p>Each receiver is a lane of its own: a full one holds up no other, and later messages to it
 * stay behind those that wait; so does one to which nothing can be sent, until an operator has
 * acted. The outbox also holds the actor's durable timers until they are due ({@link
 * OutboxTimers}), and its deliveries until they are confirmed ({@link OutboxDeliveries}).
 */
@Machine
public final class Outbox {
  /** Limit of its messages; one unit alone may exceed it. */
  public static final int MOST_MESSAGES = 10_000;

  /** Limit of its bytes, with the same exception. */
  public static final int MOST_BYTES = 4 << 20;

  /** Limit of the receivers of an entry, which is written again when part of it has left. */
  static final int ENTRY_RECEIVERS = 64;

  /** Bytes after which an entry takes no further receiver. */
  static final int ENTRY_BYTES = 64 << 10;

  /** Limit of the receivers that one relay serves. */
  static final int RELAY_RECEIVERS = 64;

  /** Messages after which a relay takes no further receiver. */
  static final int RELAY_MESSAGES = 512;

  /** Limit of the bytes of the entries that one relay takes from; one entry alone may exceed it. */
  static final int RELAY_BYTES = 128 << 10;

  /**
   * Factor by which the pauses of a stuck lane exceed those of a full one: it waits for an
   * operator.
   */
  public static final int STUCK_PAUSES = 30;

  private final NavigableMap<Long, Map<ActorPath, List<Envelope>>> entries = new TreeMap<>();
  private final Map<ActorPath, Lane> lanes = new HashMap<>();
  private final OutboxTimers timers;
  private final OutboxDeliveries deliveries;
  private int messages;
  private long bytes;
  private boolean mailFirst;

  /**
   * @param nowMs the wall clock, by which timers are due
   * @param deliveries the actor's deliveries
   */
  public Outbox(LongSupplier nowMs, OutboxDeliveries deliveries) {
    this.timers = new OutboxTimers(nowMs);
    this.deliveries = deliveries;
  }

  /** Lane of one receiver: its waiting messages, and when it is tried again. */
  private static final class Lane {
    private int messages;
    private long bytes;
    private int failures;
    private long dueNanos;

    /** Why nothing can be sent to the receiver before an operator acts; null if it may be. */
    private @Nullable String stuck;
  }

  /**
   * Messages relayed together.
   *
   * @param mail by receiver
   * @param change the change of the entries
   * @param parked deliveries to be parked, by id
   * @param applied to be run when it is durable
   */
  public record Relay(
      Map<ActorPath, List<Envelope>> mail,
      OutboxChange change,
      Map<String, byte[]> parked,
      Runnable applied) {}

  /**
   * Loads the stored outbox.
   *
   * @param label names the outbox in errors
   * @throws io.callboard.codecs.CodecException if an entry cannot be read
   */
  public void loaded(String label, List<StoredOutbox> stored, long nowNanos) {
    entries.clear();
    lanes.clear();
    messages = 0;
    bytes = 0;
    timers.clear();
    deliveries.clear();
    for (StoredOutbox entry : stored) {
      if (TimerEntry.is(entry.bytes())) {
        timers.put(label, entry.number(), entry.bytes(), nowNanos);
        continue;
      } else if (DeliveryEntry.is(entry.bytes())) {
        deliveries.loaded(label, entry.number(), entry.bytes(), nowNanos);
        continue;
      }
      String what = "entry %d of %s".formatted(entry.number(), label);
      put(entry.number(), OutboxEntry.decode(what, entry.bytes()), nowNanos);
    }
  }

  private void put(long number, Map<ActorPath, List<Envelope>> mail, long nowNanos) {
    entries.put(number, new LinkedHashMap<>(mail));
    mail.forEach(
        (receiver, envelopes) -> {
          Lane lane = lanes.get(receiver);
          if (lane == null) {
            lane = new Lane();
            lane.dueNanos = nowNanos;
            lanes.put(receiver, lane);
          }
          long more = bytes(envelopes);
          lane.messages += envelopes.size();
          lane.bytes += more;
          messages += envelopes.size();
          bytes += more;
        });
  }

  private static long bytes(List<Envelope> envelopes) {
    return envelopes.stream().mapToLong(Envelope::size).sum();
  }

  /**
   * Applies the durable change of a turn to timers or deliveries.
   *
   * @param actor whose outbox it is
   * @throws io.callboard.codecs.CodecException if an entry cannot be read
   */
  void changed(ActorPath actor, OutboxChange change, long nowNanos) {
    if (change == OutboxChange.NONE) {
      return;
    }
    String label = "the outbox of " + actor;
    change.gone().forEach(timers::remove);
    change.gone().forEach(deliveries::remove);
    for (Map<Long, byte[]> some : List.of(change.made(), change.kept())) {
      some.forEach(
          (number, bytes) -> {
            if (DeliveryEntry.is(bytes)) {
              deliveries.made(label, number, bytes, nowNanos);
            } else {
              timers.put(label, number, bytes, nowNanos);
            }
          });
    }
  }

  /** Holds the deliveries that {@code change} ends while its turn waits to be committed. */
  void posted(OutboxChange change) {
    change.gone().forEach(deliveries::hold);
  }

  /**
   * Returns the keys of the deliveries that {@code change} ends and that were parked in this life:
   * their confirmation came while they were given up.
   */
  Set<ParkedKey> parked(ActorPath actor, OutboxChange change) {
    Set<ParkedKey> parked = new HashSet<>();
    for (long number : change.gone()) {
      deliveries.parked(number).ifPresent(id -> parked.add(new ParkedKey(actor, id)));
    }
    return parked;
  }

  /**
   * Returns {@code change} without entries that are gone already: deliveries that were parked
   * before their confirmation came.
   */
  OutboxChange present(OutboxChange change) {
    if (change.gone().isEmpty()) {
      return change;
    }
    List<Long> gone =
        change.gone().stream()
            .filter(number -> timers.find(number).isPresent() || deliveries.isOpen(number))
            .toList();
    return new OutboxChange(change.made(), change.kept(), gone, change.named());
  }

  /** Returns whether nothing waits to be relayed, now or later. */
  public boolean isEmpty() {
    return entries.isEmpty() && timers.isEmpty() && deliveries.size() == 0;
  }

  /** Deliveries of the actor. */
  public OutboxDeliveries deliveries() {
    return deliveries;
  }

  /** Returns the durable timers of the actor. */
  public OutboxTimers timers() {
    return timers;
  }

  /** Returns the number of its messages. */
  public int size() {
    return messages;
  }

  /** Returns whether messages to {@code receiver} must stay behind others that wait here. */
  public boolean holds(ActorPath receiver) {
    return lanes.containsKey(receiver);
  }

  /**
   * Returns whether the outbox has room for {@code mail}; an empty outbox takes all messages of one
   * unit.
   */
  public boolean takes(Map<ActorPath, List<Envelope>> mail) {
    return entries.isEmpty() || fits(mail, messages, bytes);
  }

  private static boolean fits(
      Map<ActorPath, List<Envelope>> mail, int messagesBefore, long bytesBefore) {
    long more = mail.values().stream().mapToLong(Outbox::bytes).sum();
    int count = mail.values().stream().mapToInt(List::size).sum();
    return messagesBefore + count <= MOST_MESSAGES && bytesBefore + more <= MOST_BYTES;
  }

  /**
   * Returns why {@code mail} gets no room before an operator acts: what is stuck alone leaves none.
   * Empty if it has room, or may get some.
   */
  Optional<String> blocked(Map<ActorPath, List<Envelope>> mail) {
    int held = 0;
    long heldBytes = 0;
    String why = null;
    for (Lane lane : lanes.values()) {
      if (lane.stuck != null) {
        held += lane.messages;
        heldBytes += lane.bytes;
        why = lane.stuck;
      }
    }
    return why == null || fits(mail, held, heldBytes)
        ? Optional.empty()
        : Optional.of(
            "the outbox has no room: it holds %d messages that cannot leave; %s"
                .formatted(held, why));
  }

  /** Returns the change that a commit writes to add {@code mail}; {@link #made} follows. */
  public OutboxChange change(Map<ActorPath, List<Envelope>> mail) {
    Map<Long, byte[]> made = new LinkedHashMap<>();
    long number = entries.isEmpty() ? 1 : entries.lastKey() + 1;
    for (Map<ActorPath, List<Envelope>> part : parts(mail)) {
      made.put(number++, OutboxEntry.encode(part));
    }
    return new OutboxChange(made, Map.of(), List.of(), CommitUnit.named(mail));
  }

  /** Adds mail that is durable in the outbox. */
  public void made(Map<ActorPath, List<Envelope>> mail, long nowNanos) {
    for (Map<ActorPath, List<Envelope>> part : parts(mail)) {
      put(entries.isEmpty() ? 1 : entries.lastKey() + 1, part, nowNanos);
    }
  }

  /** Divides mail into entries; messages to one receiver may be in several, in order. */
  private static List<Map<ActorPath, List<Envelope>>> parts(Map<ActorPath, List<Envelope>> mail) {
    List<Map<ActorPath, List<Envelope>>> parts = new ArrayList<>();
    Map<ActorPath, List<Envelope>> part = new LinkedHashMap<>();
    long size = 0;
    for (Map.Entry<ActorPath, List<Envelope>> each : mail.entrySet()) {
      for (Envelope envelope : each.getValue()) {
        boolean receivers = part.size() >= ENTRY_RECEIVERS && !part.containsKey(each.getKey());
        if (receivers || size >= ENTRY_BYTES) {
          parts.add(part);
          part = new LinkedHashMap<>();
          size = 0;
        }
        part.computeIfAbsent(each.getKey(), to -> new ArrayList<>()).add(envelope);
        size += envelope.size();
      }
    }
    if (!part.isEmpty()) {
      parts.add(part);
    }
    return parts;
  }

  /**
   * Returns the next relay; null if nothing is due. One at a time.
   *
   * @param actor whose outbox it is
   * @param room bytes that it may take, with those of its entries that are written again; one entry
   *     is taken in any case
   */
  public @Nullable Relay next(ActorPath actor, long nowNanos, long room) {
    long most = Math.min(room, RELAY_BYTES);
    Relay due = timers.next(actor, nowNanos, most);
    if (due != null) {
      return due;
    }
    mailFirst = !mailFirst; // neither holds up the other
    Relay first = mailFirst ? next(nowNanos, room) : deliveries.next(nowNanos, most);
    if (first != null) {
      return first;
    }
    return mailFirst ? deliveries.next(nowNanos, most) : next(nowNanos, room);
  }

  private @Nullable Relay next(long nowNanos, long room) {
    Map<ActorPath, List<Envelope>> mail = new LinkedHashMap<>();
    Map<Long, Set<ActorPath>> leaving = new LinkedHashMap<>();
    long most = Math.min(room, RELAY_BYTES);
    long size = 0;
    int count = 0;
    for (Map.Entry<Long, Map<ActorPath, List<Envelope>>> entry : entries.entrySet()) {
      long whole = entry.getValue().values().stream().mapToLong(Outbox::bytes).sum();
      boolean due = entry.getValue().keySet().stream().anyMatch(to -> isDue(to, nowNanos));
      if (!due) {
        continue;
      } else if (!mail.isEmpty() && size + whole > most) {
        return relay(mail, leaving); // nothing may overtake what had no room
      }
      size += whole;
      for (Map.Entry<ActorPath, List<Envelope>> each : entry.getValue().entrySet()) {
        if (!isDue(each.getKey(), nowNanos)) {
          continue;
        }
        boolean fits =
            count < RELAY_MESSAGES
                && (mail.size() < RELAY_RECEIVERS || mail.containsKey(each.getKey()));
        if (!fits) {
          return relay(mail, leaving);
        }
        count += each.getValue().size();
        mail.computeIfAbsent(each.getKey(), to -> new ArrayList<>()).addAll(each.getValue());
        leaving.computeIfAbsent(entry.getKey(), number -> new HashSet<>()).add(each.getKey());
      }
    }
    return mail.isEmpty() ? null : relay(mail, leaving);
  }

  private Relay relay(Map<ActorPath, List<Envelope>> mail, Map<Long, Set<ActorPath>> leaving) {
    Map<Long, byte[]> kept = new LinkedHashMap<>();
    List<Long> gone = new ArrayList<>();
    leaving.forEach(
        (number, receivers) -> {
          Map<ActorPath, List<Envelope>> rest =
              new LinkedHashMap<>(entries.getOrDefault(number, Map.of()));
          rest.keySet().removeAll(receivers);
          if (rest.isEmpty()) {
            gone.add(number);
          } else {
            kept.put(number, OutboxEntry.encode(rest));
          }
        });
    OutboxChange change = new OutboxChange(Map.of(), kept, gone);
    return new Relay(mail, change, Map.of(), () -> left(mail, leaving));
  }

  private boolean isDue(ActorPath receiver, long nowNanos) {
    Lane lane = lanes.get(receiver);
    return lane != null && lane.dueNanos - nowNanos <= 0;
  }

  private void left(Map<ActorPath, List<Envelope>> mail, Map<Long, Set<ActorPath>> leaving) {
    leaving.forEach(
        (number, receivers) ->
            entries.computeIfPresent(
                number,
                (n, entry) -> {
                  entry.keySet().removeAll(receivers);
                  return entry.isEmpty() ? null : entry;
                }));
    mail.forEach(this::left);
  }

  private void left(ActorPath receiver, List<Envelope> envelopes) {
    long less = bytes(envelopes);
    messages -= envelopes.size();
    bytes -= less;
    Lane lane = lanes.get(receiver);
    if (lane != null) {
      lane.failures = 0;
      lane.stuck = null;
      lane.messages -= envelopes.size();
      lane.bytes -= less;
      if (lane.messages <= 0) {
        lanes.remove(receiver);
      }
    }
  }

  /**
   * Reports that the receiver's mailbox has no room yet: only its lane waits.
   *
   * @param actor whose outbox it is
   */
  public void full(ActorPath actor, ActorPath receiver, Pause pause, long nowNanos) {
    Lane lane = lanes.get(receiver);
    if (lane != null) {
      lane.failures = lane.stuck == null ? lane.failures + 1 : 1; // it is repaired, but full
      lane.stuck = null;
      lane.dueNanos = nowNanos + pause.nanos(lane.failures);
    }
    if (receiver.equals(actor)) {
      timers.full(nowNanos + pause.nanos(1));
    }
  }

  /**
   * Reports that nothing can be sent to the receiver: only its lane waits, for long, until an
   * operator has acted.
   *
   * @return whether that is news
   */
  @CanIgnoreReturnValue
  public boolean stuck(ActorPath receiver, String why, Pause pause, long nowNanos) {
    Lane lane = lanes.get(receiver);
    if (lane == null) {
      return false;
    }
    boolean news = lane.stuck == null;
    lane.failures = news ? 1 : lane.failures + 1; // it may have been full before
    lane.stuck = why;
    lane.dueNanos = nowNanos + STUCK_PAUSES * pause.nanos(lane.failures);
    return news;
  }

  /**
   * Messages to one receiver that wait for an operator.
   *
   * @param why nothing can be sent to it
   */
  public record Stuck(int messages, String why) {}

  /** Returns what is stuck, by receiver. */
  public Map<ActorPath, Stuck> stuck() {
    Map<ActorPath, Stuck> found = new LinkedHashMap<>();
    lanes.forEach(
        (receiver, lane) -> {
          if (lane.stuck != null) {
            found.put(receiver, new Stuck(lane.messages, lane.stuck));
          }
        });
    return found;
  }

  /** Pause after so many failures in a row. */
  @FunctionalInterface
  public interface Pause {
    long nanos(int failures);
  }

  /** Returns the nanoseconds until something is due, at least 0; negative for never. */
  public long waitNanos(long nowNanos) {
    long least = sooner(timers.waitNanos(nowNanos), deliveries.waitNanos(nowNanos));
    for (Lane lane : lanes.values()) {
      least = sooner(least, Math.max(0, lane.dueNanos - nowNanos));
    }
    return least;
  }

  /** Returns the sooner of two waits; negative stands for never. */
  static long sooner(long one, long other) {
    return one < 0 || other < 0 ? Math.max(one, other) : Math.min(one, other);
  }
}
