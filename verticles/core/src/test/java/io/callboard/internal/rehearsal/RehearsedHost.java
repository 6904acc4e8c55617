package io.callboard.internal.rehearsal;

import io.callboard.DeliveryMode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.Partition;
import io.callboard.codecs.Segment;
import io.callboard.internal.commit.Append;
import io.callboard.internal.commit.GroupCommit;
import io.callboard.internal.commit.GroupCommit.Consequences;
import io.callboard.internal.commit.GroupCommit.Step;
import io.callboard.internal.commit.PendingUnit;
import io.callboard.internal.messaging.MailboxAppender;
import io.callboard.internal.turn.MailboxBypass;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Session;
import io.callboard.store.StoreException;
import io.callboard.store.StoreListener;
import io.callboard.store.StoredMail;
import io.callboard.store.memory.MemoryFaults;
import io.callboard.store.memory.MemoryStore;
import io.callboard.time.Time;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Start of a node in a rehearsed world: the real {@link GroupCommit} over a store behind a {@link
 * Wire}, and the actors of the partitions that it believes to own.
 */
final class RehearsedHost implements StoreListener, MailboxAppender.Node {
  private static final int WINDOW = 3;
  private static final long TICK_NANOS = 20_000_000;

  private final World world;
  private final String name;
  private final String edge;
  private final MemoryStore store;
  private final WeakStore weak;
  private final Wire wire;
  private final Map<ActorPath, RehearsedActor> actors = new HashMap<>();
  private final Map<Partition, Lease> owned = new HashMap<>();
  private final Map<String, Long> told = new HashMap<>();
  private final MailboxAppender mailboxAppender = new MailboxAppender(this);
  private @Nullable GroupCommit machine;
  private boolean dead;
  private long accepted;

  RehearsedHost(World world, String name, String boot) {
    this.world = world;
    this.name = name;
    this.edge = "edge:" + name + ":" + boot;
    this.store = new MemoryStore(world.cell(), Runnable::run, MemoryFaults.NONE);
    this.weak = new WeakStore(store, world.guards(), world.sessions(), name);
    this.wire = new Wire(world.schedule(), world.random());
    store.listen(this);
    Session session = store.open(new NodeIdentity(name, boot, "home-" + name)).result();
    world.sessions().put(name, session);
    machine = new GroupCommit(session, WINDOW);
  }

  Schedule schedule() {
    return world.schedule();
  }

  SplittableRandom random() {
    return world.random();
  }

  DeliveryMode mode() {
    return world.mode();
  }

  World world() {
    return world;
  }

  Witness witness() {
    return world.witness();
  }

  ActorPath next(ActorPath from, Hop hop) {
    return world.next(from, hop);
  }

  String edge() {
    return edge;
  }

  /** Messages from outside, by receiver, whose commit this host has seen. */
  long accepted() {
    return accepted;
  }

  Map<String, Long> told() {
    return told;
  }

  boolean isDead() {
    return dead;
  }

  // Committing.

  @Override
  public void submit(PendingUnit pendingUnit) {
    if (machine != null && !dead) {
      machine.submit(pendingUnit);
      drive();
    }
  }

  private void drive() {
    if (machine == null || dead) {
      return;
    }
    Step step = machine.next();
    while (step instanceof Step.Send send) {
      wire.commit(
          send.commit(),
          () -> weak.commit(send.commit()),
          outcome -> {
            if (!dead) {
              follow(machine.outcome(send.commit(), outcome));
            }
          });
      step = machine.next();
    }
    if (step instanceof Step.Renew) {
      renew();
    } else if (step instanceof Step.Create create) {
      wire.send(() -> store.createMailbox(create.mailbox()), done -> created(), cause -> created());
    }
  }

  private void created() {
    if (!dead && machine != null) {
      machine.created();
      drive();
    }
  }

  private void renew() {
    wire.send(
        () -> {
          // what this process sent before is over with the new incarnation
          return store.renew().onSuccess(session -> world.sessions().put(name, session));
        },
        session -> {
          if (!dead && machine != null) {
            follow(machine.renewed(session));
          }
        },
        cause -> {
          if (cause instanceof StoreException failure
              && failure.kind() != StoreException.Kind.UNAVAILABLE) {
            kill();
          } else if (!dead) {
            schedule().soon(this::renew);
          }
        });
  }

  private void follow(Consequences consequences) {
    consequences
        .resolved()
        .forEach(resolved -> resolved.pending().done().accept(resolved.result()));
    for (GroupCommit.Delivered mail : consequences.delivered()) {
      RehearsedActor actor = actors.get(mail.receiver());
      if (actor != null) {
        actor.delivered(mail.sequence(), mail.mail());
      }
      push(mail);
    }
    consequences.mayHaveMail().forEach(actor -> hint(actor, Long.MAX_VALUE));
    drive();
  }

  // Pushing.

  /**
   * Pushes mail, which may be lost, late or doubled, to the owner or a former one, or by an old
   * lease.
   */
  private void push(GroupCommit.Delivered mail) {
    byte[] segment = Segment.encode(mail.mail());
    for (RehearsedHost other : world.hosts()) {
      Lease lease = other.owned.get(world.partition(mail.receiver()));
      if (other != this && lease != null && random().nextInt(5) > 0) {
        long epoch = lease.epoch() - (random().nextInt(8) == 0 ? 1 : 0);
        for (int times = random().nextInt(6) == 0 ? 2 : 1; times > 0; times--) {
          schedule().soon(() -> other.pushed(mail.receiver(), epoch, mail.sequence(), segment));
        }
      }
    }
  }

  private void pushed(ActorPath receiver, long epoch, long sequence, byte[] segment) {
    Lease lease = owned.get(world.partition(receiver));
    RehearsedActor actor = actors.get(receiver);
    if (dead || lease == null || actor == null) {
      return;
    }
    if (lease.epoch() == epoch) {
      actor.pushed(sequence, Segment.decode("a push", segment));
    } else {
      actor.hint(Long.MAX_VALUE);
    }
  }

  // Owning.

  /** Takes a partition, whichever host owns it. */
  void claim(Partition partition) {
    if (dead) {
      return;
    }
    wire.send(
        () -> store.leases(),
        leases -> claim(partition, Optional.ofNullable(leases.get(partition))),
        cause -> {});
  }

  private void claim(Partition partition, Optional<Lease> seen) {
    wire.send(
        () -> store.claim(partition, seen),
        lease -> {
          if (!dead) {
            drop(partition);
            owned.put(partition, lease);
            world.actorsOf(partition).forEach(actor -> activate(actor, lease, null));
          }
        },
        cause -> {
          if (world.isCalm()) {
            schedule().soon(() -> claim(partition)); // a late claim of another came before
          }
        });
  }

  private void drop(Partition partition) {
    owned.remove(partition);
    for (ActorPath actor : world.actorsOf(partition)) {
      RehearsedActor life = actors.remove(actor);
      if (life != null) {
        life.end();
      }
    }
  }

  private void activate(ActorPath path, Lease lease, @Nullable RehearsedActor last) {
    if (dead || !lease.equals(owned.get(lease.partition()))) {
      return;
    }
    wire.<Loaded>send(
        () -> store.load(path, lease),
        loaded -> {
          if (!dead && lease.equals(owned.get(lease.partition()))) {
            RehearsedActor life = new RehearsedActor(this, path, lease, last);
            RehearsedActor before = actors.put(path, life);
            if (before != null) {
              before.end();
            }
            life.start(loaded);
          }
        },
        cause -> {
          if (cause instanceof StoreException failure
              && failure.kind() == StoreException.Kind.CONFLICT) {
            if (lease.equals(owned.get(lease.partition()))) {
              drop(lease.partition());
            }
          } else {
            schedule().soon(() -> activate(path, lease, last));
          }
        });
  }

  /**
   * Returns whether another host owns what this one was given with that lease, which it may not
   * know.
   */
  boolean isReplaced(Lease lease) {
    return !lease.equals(store.leases().result().get(lease.partition()));
  }

  boolean isRunning(ActorPath path) {
    return actors.containsKey(path);
  }

  /** Returns the receiver of direct mail from here to that actor. */
  MailboxBypass.Outlet outlet(ActorPath path, MailboxBypass mail) {
    return mailboxAppender.outlet(path, mail, () -> schedule().soon(() -> goOn(path)));
  }

  private void goOn(ActorPath path) {
    RehearsedActor life = actors.get(path);
    if (life != null) {
      life.run();
    }
  }

  /** Handles the failed end of an actor's life: it begins again, here or with another owner. */
  void failed(ActorPath path, RehearsedActor last) {
    actors.remove(path);
    Lease lease = owned.get(world.partition(path));
    if (lease != null) {
      RehearsedActor before = lease.equals(last.lease()) ? last : null;
      schedule().soon(() -> activate(path, lease, before));
    }
  }

  void read(ActorPath path, long from, Consumer<StoredMail> read, Consumer<Throwable> failed) {
    wire.send(() -> store.read(path, from), read, failed);
  }

  // Hints.

  @Override
  public void mail(ActorPath actor, long sequence) {
    if (!dead && random().nextInt(4) > 0) {
      schedule().soon(() -> arrivedHint(actor, sequence));
    }
  }

  private void arrivedHint(ActorPath actor, long sequence) {
    RehearsedActor life = actors.get(actor);
    if (life != null && machine != null && machine.isSendingTo(actor)) {
      life.expect(sequence);
    } else if (life != null) {
      life.foretold(sequence);
    }
  }

  private void hint(ActorPath actor, long sequence) {
    RehearsedActor life = actors.get(actor);
    if (life != null) {
      life.hint(sequence);
    }
  }

  /** Looks at every mailbox, as after a reconnect and from time to time. */
  void sweep() {
    if (!dead && world.guards().sweep()) {
      List.copyOf(actors.keySet()).forEach(actor -> hint(actor, Long.MAX_VALUE));
    }
  }

  @Override
  public void leaseChanged(Partition partition) {}

  @Override
  public void membersChanged() {}

  @Override
  public void connected() {}

  @Override
  public void disconnected() {}

  @Override
  public void sessionLost() {}

  // Edges and faults.

  /** Reports the arrival of a delivery to the current host of its actor. */
  void confirm(ActorPath actor, Hop confirmed) {
    RehearsedHost teller = dead ? world.hosts().get(0) : this;
    teller.tell(actor, confirmed, world.nextConfirmation(), Promise.promise());
  }

  /** Tells an actor a message from outside. */
  void tell(ActorPath receiver, int ttl) {
    if (dead) {
      return;
    }
    long number = told.merge(receiver.toString(), 1L, Long::sum);
    Promise<Void> done = Promise.promise();
    tell(receiver, new Hop(edge, number, ttl), new MessageId(edge, number), done);
    done.future()
        .onComplete(
            told -> {
              if (told.failed()) {
                throw new AssertionError("a tell failed", told.cause());
              }
              accepted++;
              world.accepted(edge, receiver);
            });
  }

  private void tell(ActorPath receiver, Hop hop, MessageId id, Promise<Void> done) {
    Envelope envelope = Envelope.of(id, hop, null).with(world.handling());
    Append append = new Append(receiver, envelope, Long.MAX_VALUE / 2, done);
    RehearsedActor actor = actors.get(receiver);
    mailboxAppender.send(append, (message, room) -> actor != null && actor.offer(message, room));
  }

  // What appends need of a node.

  @Override
  public long nanoTime() {
    return schedule().now() * TICK_NANOS;
  }

  @Override
  public long pauseNanos(int failures) {
    return TICK_NANOS * (1 + random().nextInt(Math.min(50, 2 << Math.min(failures, 10))));
  }

  @Override
  public Time.Alarm later(long nanos, Runnable task) {
    AtomicBoolean cancelled = new AtomicBoolean();
    schedule()
        .at(
            schedule().now() + 1 + nanos / TICK_NANOS,
            () -> {
              if (!dead && !cancelled.get()) {
                task.run();
              }
            });
    return () -> cancelled.set(true);
  }

  @Override
  public void sent() {}

  MailboxHeader header(ActorPath actor) {
    return world.header(actor);
  }

  @Override
  public String toString() {
    return "%s%s %s".formatted(name, dead ? " dead" : "", actors.values());
  }

  void cut() {
    if (!dead) {
      wire.cut();
    }
  }

  void expire() {
    if (!dead && store.expire().succeeded()) {
      wire.cut();
    }
  }

  /** The process dies; what it sent may still arrive. */
  void kill() {
    dead = true;
    actors.values().forEach(RehearsedActor::end);
    wire.cut();
  }
}
