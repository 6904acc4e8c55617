package io.callboard.turn;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Partition;
import io.callboard.codecs.Segment;
import io.callboard.link.Push;
import io.callboard.outbox.GroupCommit;
import io.callboard.store.Lease;
import io.callboard.store.Store;
import io.callboard.turn.Roster.Entry;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings word of mail, by whatever way it came, to the actors of this node's partitions, and starts
 * those that are hosted here and do not run. Called on the durable context.
 */
final class WakeOnMail {
  private static final Logger log = LoggerFactory.getLogger(WakeOnMail.class);

  private final CallboardRuntime runtime;
  private final Roster roster;
  private final Hosted.All hosted;
  private final Supplier<Optional<Ownership>> claims;
  private final RoleRest roles;
  private final MailSweep mailSweep;
  private final DirectWatch directs;
  private final Unhandled unhandled;

  /**
   * @param claims who owns what; empty before the node is open, and once its actors are stopped
   */
  WakeOnMail(
      CallboardRuntime runtime,
      Store store,
      Roster roster,
      Hosted.All hosted,
      Supplier<Optional<Ownership>> claims) {
    this.runtime = runtime;
    this.roster = roster;
    this.hosted = hosted;
    this.claims = claims;
    this.roles = new RoleRest(roster, this::sweep);
    this.mailSweep = new MailSweep(runtime, store, this::withMail);
    this.directs = new DirectWatch(runtime);
    this.unhandled = new Unhandled(runtime.options().sweepEvery().dividedBy(3));
  }

  /** Whether roles rest: then mail wakes none. */
  RoleRest roles() {
    return roles;
  }

  /** An actor may have mail; the sequence of its segment is not known. */
  void mailFor(ActorPath path) {
    mailFor(path, Long.MAX_VALUE);
  }

  void mailFor(ActorPath path, long sequence) {
    Ownership ownership = claims.get().orElse(null);
    if (ownership == null || (roles.rests() && path.role().isPresent())) {
      return;
    }
    Entry entry = roster.get(path);
    if (entry != null) {
      if (entry.runner().isOwned()) {
        entry.runner().mail().hint(sequence);
      }
      return;
    }
    ownership
        .lease(path)
        .ifPresent(
            lease ->
                hosted
                    .of(path)
                    .ifPresent(
                        candidate -> activate(path, candidate, ownership.partition(path), lease)));
  }

  /**
   * Whether an actor handles a message that is in no mailbox; see {@link DirectMail}.
   *
   * @param room whether the node has room for it
   */
  boolean handles(Appends.Append message, boolean room) {
    Entry entry = roster.get(message.to());
    boolean handles = entry != null && entry.runner().handles(message, room);
    if (entry != null && handles) {
      directs.over(entry.runner().direct());
    }
    return handles;
  }

  /** This node has put mail into the mailbox of an actor. */
  void delivered(GroupCommit.Delivered mail) {
    Entry entry = roster.get(mail.receiver());
    if (entry != null && entry.runner().isOwned()) {
      entry.runner().mail().delivered(mail.sequence(), mail.mail());
    } else {
      mailFor(mail.receiver(), mail.sequence());
    }
  }

  /**
   * Another node says that it has put mail into the mailbox of an actor. The content is taken only
   * from a live node of this cell that knows this node's lease; else it is a hint.
   */
  void pushed(Push.Received push) {
    Optional<Ownership> ownership = claims.get();
    Lease lease = ownership.flatMap(owns -> owns.lease(push.receiver())).orElse(null);
    if (lease == null) {
      return;
    }
    Entry entry = roster.get(push.receiver());
    boolean live = ownership.filter(owns -> owns.isLive(push.from())).isPresent();
    boolean known = live && lease.epoch() == push.epoch();
    if (entry == null || !entry.runner().isOwned() || !known) {
      mailFor(push.receiver(), known ? push.sequence() : Long.MAX_VALUE);
      return;
    }
    String what = "the push of segment %d to %s".formatted(push.sequence(), push.receiver());
    try {
      List<Envelope> mail = Segment.decode(what, push.segment());
      entry.runner().mail().pushed(push.sequence(), mail, push.segment().length);
    } catch (CodecException e) {
      log.warn("{} by node {} cannot be read: {}", what, push.from(), e.getMessage());
      mailFor(push.receiver());
    }
  }

  private void activate(ActorPath path, Hosted declaration, Partition partition, Lease lease) {
    Ref<Object> ref = new Ref<>(runtime, path, true, Object.class);
    DurableRunner runner =
        new DurableRunner(
            runtime,
            runtime.supervisor(),
            ref,
            declaration.factory(),
            declaration.options(),
            roster.left(path));
    roster.put(new Entry(runner, declaration.protocol(), declaration, partition));
    runner.firstStart().onFailure(CallboardRuntime::reportedElsewhere);
    runner.own(lease);
  }

  /** Looks into every owned partition for mail whose hint was lost. */
  void sweep() {
    claims.get().ifPresent(ownership -> mailSweep.of(ownership.ownedPartitions()));
  }

  /**
   * Looks into one that this node has gained.
   *
   * @param lost the node that is gone with what worked there; null if none is
   */
  void sweep(Partition partition, @Nullable String lost) {
    mailSweep.of(partition, lost);
  }

  /** That partition is not this node's any more. */
  void lost(Partition partition) {
    unhandled.lost(partition);
  }

  private void withMail(Partition partition, List<ActorPath> actors, @Nullable String lost) {
    actors.forEach(path -> hasMail(path, lost));
    if (claims.get().filter(ownership -> ownership.owns(partition)).isPresent()) {
      boolean rests = roles.rests() && partition.isRole();
      List<ActorPath> left =
          actors.stream().filter(path -> !rests && roster.get(path) == null).toList();
      unhandled.saw(partition, left, runtime.nanoTime());
    }
  }

  /** Actors with mail in this node's partitions that nothing here runs. Any thread. */
  Set<ActorPath> unhandled() {
    return unhandled.snapshot();
  }

  /** What mail starts after its node was lost was at work there. */
  private void hasMail(ActorPath path, @Nullable String lost) {
    boolean known = roster.get(path) != null;
    mailFor(path);
    Entry entry = roster.get(path);
    if (lost != null && !known && entry != null) {
      entry.runner().nodeLost(lost);
    }
  }
}
