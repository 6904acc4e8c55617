package io.callboard.internal.activation;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.OnceOpen;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.placement.Offer;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import io.callboard.store.Store;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watch for mail for durable actors that no node of the cell hosts. Such mail is kept until a node
 * hosts its actor, but most often its path has a typing error. Each space is logged once, if after
 * some seconds still no node hosts the actor, because a program that starts hosts its actors one
 * after another; and not for a role that this node has given up, as when a whole cell is stopped in
 * order. Used on the durable context unless a method says otherwise.
 */
public final class UnhostedMail {
  private static final Logger log = LoggerFactory.getLogger(UnhostedMail.class);

  /** Limit of the partitions and spaces that are remembered; further ones are not reported. */
  private static final int MOST = 1_000;

  /**
   * Least time between two looks at the hosts of a partition, which programs have to host an actor
   * before its mail is reported.
   */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final NodeContext node;
  private final Store store;
  private final OnceOpen<PartitionOwnership> ownership;
  private final Predicate<ActorPath> isHere;
  private final Predicate<ActorPath> wasHere;
  private final Set<Partition> unhosted = ConcurrentHashMap.newKeySet();
  private final Map<Partition, Long> lookedNs = new HashMap<>();
  private final Set<String> reported = new HashSet<>();

  /**
   * @param isHere whether this node runs the actor, or hosts it; any thread
   * @param wasHere whether it did, and gave it up: its path has no typing error
   */
  public UnhostedMail(
      NodeContext node,
      Store store,
      OnceOpen<PartitionOwnership> ownership,
      Predicate<ActorPath> isHere,
      Predicate<ActorPath> wasHere) {
    this.node = node;
    this.store = store;
    this.ownership = ownership;
    this.isHere = isHere;
    this.wasHere = wasHere;
  }

  /** Returns whether the actor is known to be unhosted. Any thread. */
  public boolean isKnown(ActorPath actor) {
    return !unhosted.isEmpty()
        && unhosted.contains(ownership.get().partition(actor))
        && !isHere.test(actor);
  }

  /** Notices mail in the mailbox of an actor that does not run here. */
  public void delivered(ActorPath actor) {
    Partition partition = ownership.get().partition(actor);
    long nowNs = node.nanoTime();
    Long before = lookedNs.get(partition);
    if ((before != null && nowNs - before < GRACE.toNanos())
        || (before == null && lookedNs.size() >= MOST)) {
      return;
    }
    lookedNs.put(partition, nowNs);
    isHosted(actor)
        .onFailure(NodeContext::reportedElsewhere) // the next mail looks again
        .onSuccess(hosted -> node.onDurableContext(() -> looked(actor, partition, hosted)));
  }

  private void looked(ActorPath actor, Partition partition, boolean hosted) {
    if (hosted) {
      unhosted.remove(partition);
      return;
    }
    unhosted.add(partition);
    if (!wasHere.test(actor) && reported.size() < MOST && reported.add(partition.space())) {
      var unused = node.after(GRACE, () -> lookAgain(actor, partition));
    }
  }

  private void lookAgain(ActorPath actor, Partition partition) {
    isHosted(actor)
        .onFailure(cause -> node.onDurableContext(() -> reported.remove(partition.space())))
        .onSuccess(hosted -> node.onDurableContext(() -> lookedAgain(actor, partition, hosted)));
  }

  private void lookedAgain(ActorPath actor, Partition partition, boolean hosted) {
    if (hosted) {
      reported.remove(partition.space());
      unhosted.remove(partition);
    } else {
      log.warn(
          "{}: its mail is kept until one does. Check the path, or host it. "
              + "Further actors of /{} are not reported",
          Offer.unhosted(actor),
          partition.space());
    }
  }

  /**
   * Completes with whether a live node runs that durable actor or would start it for its mail. Any
   * thread.
   */
  public Future<Boolean> isHosted(ActorPath actor) {
    if (isHere.test(actor)) {
      return Future.succeededFuture(true);
    }
    Partition partition = ownership.get().partition(actor);
    return Future.all(store.members(), store.leases(Set.of(partition)))
        .map(
            read -> {
              List<Member> members = read.resultAt(0);
              Map<Partition, Lease> leases = read.resultAt(1);
              return isHostedElsewhere(actor, members, leases.get(partition));
            });
  }

  private boolean isHostedElsewhere(ActorPath actor, List<Member> members, @Nullable Lease lease) {
    Optional<String> role = actor.role();
    for (Member member : members) {
      if (member.bootId().equals(node.bootId())) {
        continue; // what is here is known
      }
      Offer offer = Offer.of(member);
      boolean offers =
          role.isPresent()
              ? offer.roles().contains(role.get())
              : offer.spaces().contains(actor.space());
      if (offers || (lease != null && lease.ownerBoot().equals(member.bootId()))) {
        return true;
      }
    }
    return false;
  }
}
