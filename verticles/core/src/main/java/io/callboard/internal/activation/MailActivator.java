package io.callboard.internal.activation;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Partition;
import io.callboard.codecs.Segment;
import io.callboard.internal.activation.ActiveActors.Entry;
import io.callboard.internal.commit.Append;
import io.callboard.internal.commit.GroupCommit;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.durable.DurableRunner;
import io.callboard.internal.link.Push;
import io.callboard.internal.messaging.BypassTarget;
import io.callboard.internal.ownership.AccessDenials;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.store.Lease;
import io.callboard.store.Store;
import io.callboard.store.StoredRecord;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Activator of durable actors that have mail: passes every notice of mail to the actors of this
 * node's partitions, and starts hosted ones that do not run. Called on the durable context.
 */
public final class MailActivator implements BypassTarget {
  private static final Logger log = LoggerFactory.getLogger(MailActivator.class);

  private final NodeContext node;
  private final ActiveActors activeActors;
  private final HostDeclaration.All hosted;
  private final RunnerFactory runners;
  private final Supplier<Optional<PartitionOwnership>> claims;
  private final BiConsumer<Entry, StoredRecord> deleted;
  private final RoleSuspension roles;
  private final MailSweep mailSweep;
  private final BypassWatchdog directs;
  private final OrphanedMail orphanedMail;

  /**
   * @param claims the partition ownership; empty before the node is open, and once its actors are
   *     stopped
   * @param deleted called with a hosted actor that has deleted itself, and what is stored of it
   * @param commitNanos typical latency of a commit at present
   */
  MailActivator(
      NodeContext node,
      Store store,
      AccessDenials denials,
      ActiveActors activeActors,
      HostDeclaration.All hosted,
      RunnerFactory runners,
      Supplier<Optional<PartitionOwnership>> claims,
      BiConsumer<Entry, StoredRecord> deleted,
      LongSupplier commitNanos) {
    this.node = node;
    this.deleted = deleted;
    this.runners = runners;
    this.activeActors = activeActors;
    this.hosted = hosted;
    this.claims = claims;
    this.roles = new RoleSuspension(activeActors, this::sweep);
    this.mailSweep = new MailSweep(node, store, denials, this::withMail);
    this.directs = new BypassWatchdog(node, commitNanos);
    this.orphanedMail = new OrphanedMail(node.options().sweepEvery().dividedBy(3));
  }

  /** Returns the suspension of the roles, during which mail starts none. */
  public RoleSuspension roles() {
    return roles;
  }

  /** Notices that an actor may have mail, in an unknown segment. */
  public void mailFor(ActorPath path) {
    mailFor(path, Long.MAX_VALUE);
  }

  void mailFor(ActorPath path, long sequence) {
    mailFor(path, sequence, false);
  }

  /**
   * @param behind whether nobody is known to wait for the actor: its start is behind others
   */
  private void mailFor(ActorPath path, long sequence, boolean behind) {
    PartitionOwnership ownership = claims.get().orElse(null);
    if (ownership == null || (roles.rests() && path.role().isPresent())) {
      return;
    }
    Entry entry = activeActors.get(path);
    if (entry != null) {
      if (entry.runner().isOwned()) {
        entry.runner().mail().hint(sequence);
      }
      if (!behind) {
        entry.runner().startsSoon();
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
                        candidate ->
                            activate(path, candidate, ownership.partition(path), lease, behind)));
  }

  @Override
  public boolean handles(Append message, boolean room) {
    Entry entry = activeActors.get(message.to());
    boolean handles = entry != null && entry.runner().handles(message, room);
    if (entry != null && handles) {
      directs.over(entry.runner().direct());
    }
    return handles;
  }

  @Override
  public Optional<Future<Void>> starts(ActorPath receiver) {
    if (activeActors.get(receiver) == null) {
      mailFor(receiver); // none that is known, but it starts its actor
    }
    Entry entry = activeActors.get(receiver);
    if (entry != null) {
      entry.runner().startsSoon();
    }
    Future<Void> start = entry == null ? Future.succeededFuture() : entry.runner().firstStart();
    if (start.isComplete()) {
      return Optional.empty();
    }
    Promise<Void> ended = Promise.promise();
    start.onComplete(done -> node.onDurableContext(ended::complete));
    return Optional.of(ended.future());
  }

  /** Notices mail that this node has put into a mailbox. */
  public void delivered(GroupCommit.Delivered mail) {
    Entry entry = activeActors.get(mail.receiver());
    if (entry != null && entry.runner().isOwned()) {
      entry.runner().mail().delivered(mail.sequence(), mail.mail());
      entry.runner().startsSoon();
    } else {
      mailFor(mail.receiver(), mail.sequence());
    }
  }

  /**
   * Notices mail that another node says it has put into a mailbox. The content is taken only from a
   * live node of this cell that knows this node's lease; otherwise the push is a hint.
   */
  void pushed(Push.Received push) {
    Optional<PartitionOwnership> ownership = claims.get();
    Lease lease = ownership.flatMap(owns -> owns.lease(push.receiver())).orElse(null);
    if (lease == null) {
      return;
    }
    Entry entry = activeActors.get(push.receiver());
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
      log.warn("{} by node {} cannot be read: {}", what, push.from(), Causes.message(e));
      mailFor(push.receiver());
    }
  }

  private void activate(
      ActorPath path,
      HostDeclaration declaration,
      Partition partition,
      Lease lease,
      boolean behind) {
    DurableRunner runner =
        runners.hosted(
            path,
            declaration.factory(),
            declaration.options(),
            activeActors.left(path),
            remains -> deleted(path, remains));
    activeActors.put(new Entry(runner, declaration.protocol(), declaration, partition));
    runner.firstStart().onFailure(NodeContext::reportedElsewhere);
    if (behind) {
      runner.startsBehind();
    }
    runner.own(lease);
  }

  private void deleted(ActorPath path, StoredRecord remains) {
    Entry entry = activeActors.get(path);
    if (entry != null) {
      deleted.accept(entry, remains);
    }
  }

  /** Looks for mail in every owned partition, in case a hint was lost. */
  void sweep() {
    claims.get().ifPresent(ownership -> mailSweep.of(ownership.ownedPartitions()));
  }

  /**
   * Looks for mail in a partition that this node has gained.
   *
   * @param lost the lost node that owned it before; null if none did
   */
  void sweep(Partition partition, @Nullable String lost) {
    mailSweep.of(partition, lost);
  }

  /** Forgets a partition that this node has lost. */
  void lost(Partition partition) {
    orphanedMail.lost(partition);
  }

  private void withMail(Partition partition, List<ActorPath> actors, @Nullable String lost) {
    actors.forEach(path -> hasMail(path, lost));
    if (claims.get().filter(ownership -> ownership.owns(partition)).isPresent()) {
      boolean rests = roles.rests() && partition.isRole();
      List<ActorPath> left =
          actors.stream().filter(path -> !rests && activeActors.get(path) == null).toList();
      orphanedMail.saw(partition, left, node.nanoTime());
    }
  }

  /** Returns the actors with mail in this node's partitions that nothing here runs. Any thread. */
  public Set<ActorPath> unhandled() {
    return orphanedMail.snapshot();
  }

  /** Activates an actor with mail, which may have run on a lost node. */
  private void hasMail(ActorPath path, @Nullable String lost) {
    boolean known = activeActors.get(path) != null;
    mailFor(path, Long.MAX_VALUE, true);
    Entry entry = activeActors.get(path);
    if (lost != null && !known && entry != null) {
      entry.runner().nodeLost(lost);
    }
  }
}
