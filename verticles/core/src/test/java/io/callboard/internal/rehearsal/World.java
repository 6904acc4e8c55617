package io.callboard.internal.rehearsal;

import io.callboard.DeliveryMode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Handling;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.Partition;
import io.callboard.store.ActorRecord;
import io.callboard.store.Lease;
import io.callboard.store.MailboxHeader;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Session;
import io.callboard.store.StoredActor;
import io.callboard.store.WhenFull;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryFaults;
import io.callboard.store.memory.MemoryStore;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A few hosts, a few actors that talk to each other, one thread, one seed. Hosts are cut off, die,
 * come back and take each other's partitions at any moment; then it becomes quiet, and everything
 * accepted must have been handled once and in order.
 */
final class World {
  private static final int HOSTS = 3;
  private static final int ACTORS = 4;
  private static final int PARTITIONS = 2;
  private static final int BUSY_UNTIL = 1_000;
  private static final int SWEEPS = 10;
  private static final int SWEEP_STEPS = 2_000;
  private static final int QUIET_STEPS = 200_000;

  private final long seed;
  private final Guards guards;
  private final DeliveryMode mode;
  private final Witness witness;
  private final SplittableRandom random;
  private final boolean unruly;
  private final boolean local;
  private final Schedule schedule;
  private final MailboxHeader header;
  private final MemoryCell cell;
  private final Map<String, Session> sessions = new HashMap<>();
  private final List<ActorPath> actors = new ArrayList<>();
  private final List<RehearsedHost> hosts = new ArrayList<>();
  private final Map<String, Map<String, Long>> accepted = new HashMap<>();
  private final Outside outside = new Outside();
  private boolean calm;
  private int boots;
  private int faults;
  private long timers;
  private long confirmations;

  World(long seed, Guards guards) {
    this(seed, guards, DeliveryMode.EXACTLY_ONCE, DeliveryMode.EXACTLY_ONCE);
  }

  /**
   * @param mode of its actors
   * @param promise of which mode is demanded of them
   */
  World(long seed, Guards guards, DeliveryMode mode, DeliveryMode promise) {
    this.mode = mode;
    this.seed = seed;
    this.guards = guards;
    this.random = new SplittableRandom(seed);
    this.schedule = new Schedule(random);
    boolean tight = random.nextBoolean();
    this.unruly = random.nextInt(3) == 0;
    this.local = random.nextBoolean();
    this.witness = new Witness(promise, !unruly);
    this.header =
        new MailboxHeader(
            false,
            tight ? 2 + random.nextInt(12) : 10_000,
            random.nextBoolean() ? WhenFull.WAIT : WhenFull.PARK);
    this.cell =
        new MemoryCell(PARTITIONS, header.limit(), Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
    for (int i = 0; i < ACTORS; i++) {
      actors.add(ActorPath.of("/w/a" + i));
    }
    for (int i = 0; i < HOSTS; i++) {
      hosts.add(boot(i));
    }
  }

  List<RehearsedHost> hosts() {
    return hosts;
  }

  private RehearsedHost boot(int index) {
    return new RehearsedHost(this, "h" + index, "b" + boots++);
  }

  /** Returns whether messages have priorities and are stashed. */
  boolean isUnruly() {
    return unruly;
  }

  /** Returns how the next message is to be handled. */
  Handling handling() {
    return unruly && (!local || random.nextInt(8) == 0)
        ? new Handling(Math.max(0, random.nextInt(6) - 3), 0, 0)
        : Handling.PLAIN;
  }

  /** Returns the limit and the wish of an actor's mailbox. */
  MailboxHeader header(ActorPath actor) {
    return header;
  }

  DeliveryMode mode() {
    return mode;
  }

  Witness witness() {
    return witness;
  }

  MessageId nextConfirmation() {
    return new MessageId("outside", ++confirmations);
  }

  Outside outside() {
    return outside;
  }

  MemoryCell cell() {
    return cell;
  }

  Guards guards() {
    return guards;
  }

  Schedule schedule() {
    return schedule;
  }

  SplittableRandom random() {
    return random;
  }

  /** Returns whether the faults have ended: owners then keep trying until they succeed. */
  boolean isCalm() {
    return calm;
  }

  Map<String, Session> sessions() {
    return sessions;
  }

  Partition partition(ActorPath path) {
    return path.partition(PARTITIONS);
  }

  List<ActorPath> actorsOf(Partition partition) {
    return actors.stream().filter(actor -> partition(actor).equals(partition)).toList();
  }

  ActorPath next(ActorPath from, Hop hop) {
    return actors.get((int) ((actors.indexOf(from) + 1 + hop.number()) % ACTORS));
  }

  void accepted(String edge, ActorPath receiver) {
    accepted.computeIfAbsent(edge, e -> new HashMap<>()).merge(receiver.toString(), 1L, Long::sum);
  }

  /** Returns the number of durable timers that were started. */
  long timers() {
    return timers;
  }

  /** Returns how many messages were handled. */
  long run() {
    try {
      for (int i = 0; i < PARTITIONS; i++) {
        host().claim(new Partition("w", i));
      }
      schedule.soon(this::busy);
      while (schedule.now() < BUSY_UNTIL && schedule.step()) {}
      calm();
      return check();
    } catch (AssertionError | IllegalStateException e) {
      throw new AssertionError(
          "seed %d, %d faults, at %d: %s".formatted(seed, faults, schedule.now(), e.getMessage()),
          e);
    }
  }

  private RehearsedHost host() {
    return hosts.get(random.nextInt(HOSTS));
  }

  private void busy() {
    if (schedule.now() >= BUSY_UNTIL) {
      return;
    }
    int index = random.nextInt(HOSTS);
    RehearsedHost host = hosts.get(index);
    int choice = random.nextInt(40);
    faults += choice >= 34 ? 1 : 0;
    switch (choice) {
      case 34, 35 -> host.cut();
      case 36 -> host.expire();
      case 37 -> {
        host.kill();
        hosts.set(index, boot(index));
      }
      case 38, 39 -> host.claim(new Partition("w", random.nextInt(PARTITIONS)));
      case 33 -> host.sweep();
      default -> {
        if (local) {
          tellOwner(actors.get(random.nextInt(ACTORS)));
          break;
        }
        for (int i = random.nextInt(4); i >= 0; i--) {
          host.tell(actors.get(random.nextInt(ACTORS)), random.nextInt(4));
        }
      }
    }
    schedule.at(schedule.now() + 1 + random.nextInt(15), this::busy);
  }

  /** Tells an actor many messages where it runs: without faults they bypass its mailbox. */
  private void tellOwner(ActorPath actor) {
    for (RehearsedHost owner : hosts) {
      if (owner.isRunning(actor)) {
        for (int i = random.nextInt(20); i >= 0; i--) {
          owner.tell(actor, random.nextInt(12) == 0 ? 1 : 0);
        }
        return;
      }
    }
    host().tell(actor, random.nextInt(4));
  }

  /** Ends the faults: one host takes everything, and all that is under way comes to rest. */
  private void calm() {
    calm = true;
    while (schedule.step() && schedule.now() < BUSY_UNTIL + 2_000) {}
    for (int i = 0; i < PARTITIONS; i++) {
      hosts.get(i).claim(new Partition("w", i));
    }
    rest();
    for (int round = 0; round < SWEEPS; round++) {
      hosts.forEach(RehearsedHost::sweep);
      rest();
    }
  }

  private void rest() {
    for (int step = 0; schedule.step(); step++) {
      if (step % SWEEP_STEPS == 0) {
        hosts.forEach(RehearsedHost::sweep);
      } else if (step > QUIET_STEPS) {
        throw new AssertionError(
            "it does not come to rest: " + hosts.stream().map(RehearsedHost::toString).toList());
      }
    }
  }

  private long check() {
    MemoryStore reader = new MemoryStore(cell, Runnable::run, MemoryFaults.NONE);
    Session unused = reader.open(new NodeIdentity("reader", "reader", "reader")).result();
    Map<String, Hop.Count> counts = new HashMap<>();
    for (ActorPath actor : actors) {
      Optional<StoredActor> stored = reader.actor(actor).result();
      long waiting = stored.map(StoredActor::waiting).orElse(0L);
      if (waiting > 0) {
        throw new AssertionError("%d segments wait for %s for ever".formatted(waiting, actor));
      }
      Optional<ActorRecord> record = stored.map(StoredActor::record);
      Hop.Count count = RehearsedActor.count(record);
      if (count.hasGaps() && mode != DeliveryMode.AT_MOST_ONCE) {
        throw new AssertionError("%s misses mail: %s".formatted(actor, count));
      }
      if (count.from(Hop.Count.TIMER) != count.to(Hop.Count.TIMER)) {
        throw new AssertionError("%s misses a timer: %s".formatted(actor, count));
      }
      delivered(actor, count, reader);
      counts.put(actor.toString(), count);
      timers += count.to(Hop.Count.TIMER);
    }
    long handled = 0;
    for (Map.Entry<String, Hop.Count> receiver : counts.entrySet()) {
      for (Map.Entry<String, Long> sender : receiver.getValue().got().entrySet()) {
        handled += sender.getValue();
        if (mode == DeliveryMode.AT_MOST_ONCE) {
          continue;
        }
        same(sender.getKey(), receiver.getKey(), sender.getValue(), counts);
      }
    }
    accepted.forEach(
        (edge, receivers) ->
            receivers.forEach(
                (receiver, count) -> {
                  if (mode == DeliveryMode.AT_MOST_ONCE) {
                    return;
                  }
                  if (counts.getOrDefault(receiver, Hop.Count.NONE).from(edge) < count) {
                    throw new AssertionError("%s lost mail of %s".formatted(receiver, edge));
                  }
                }));
    for (Lease lease : reader.leases().result().values()) {
      if (lease.epoch() < 1) {
        throw new AssertionError("an epoch went back: " + lease);
      }
    }
    return handled;
  }

  /** Checks the deliveries: each at least once, or parked, and none that no turn has sent. */
  private void delivered(ActorPath actor, Hop.Count count, MemoryStore reader) {
    long last = count.to(Hop.Count.OUTSIDE);
    long parked =
        reader.parked(1_000).result().stream().filter(p -> p.actor().equals(actor)).count();
    long got = outside.got(actor).size();
    long most = outside.got(actor).stream().mapToLong(number -> number).max().orElse(0);
    if (got + parked < last || most > last) {
      throw new AssertionError(
          "%s delivered %d: %d came, up to number %d, and %d are parked"
              .formatted(actor, last, got, most, parked));
    }
  }

  private void same(String from, String to, long got, Map<String, Hop.Count> counts) {
    Hop.Count sender = counts.get(from);
    if (sender != null && sender.to(to) != got) {
      throw new AssertionError(
          "%s sent %d to %s, which got %d".formatted(from, sender.to(to), to, got));
    }
  }
}
