package io.callboard.workflows.internal.actor;

import io.callboard.Callboard;
import io.callboard.cell.LeaseListener;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Lives of the actors of instances on this node, and the leases by which the node owns them. A life
 * ends when its actor says so, when the next one of its instance begins here, and when the node has
 * lost the lease, whatever its actor does. Thread-safe.
 *
 * <p>What the node remembers for an instance belongs to one of its lives. A turn may be committed
 * of which the node never learns, as it has lost its session; the next owner goes on from there. So
 * nothing may be left here that waits for the effects of that turn.
 */
public final class InstanceLives implements LeaseListener {
  private static final String SPACE = ActorPath.of(InstanceActor.PREFIX).space();

  private final int partitions;
  private final Map<Integer, Long> epochs = new ConcurrentHashMap<>();
  private final Map<String, InstanceLife> lives = new ConcurrentHashMap<>();
  private final List<Consumer<InstanceLife>> ends = new CopyOnWriteArrayList<>();
  private final List<Runnable> gains = new CopyOnWriteArrayList<>();

  /** Creates an empty set of lives, and begins to listen to the leases of the node. */
  public InstanceLives(Callboard callboard) {
    this.partitions = callboard.leases().partitionsOfSpace();
    callboard.leases().listen(this);
  }

  /** Begins a life, and ends the one before, if there is one. */
  public InstanceLife begin(String instance) {
    InstanceLife life = new InstanceLife(instance);
    InstanceLife before = lives.put(instance, life);
    if (before != null) {
      over(before);
    }
    return life;
  }

  /** Ends a life, and forgets what the node remembers for it. */
  public void end(InstanceLife life) {
    lives.remove(life.instance(), life);
    over(life);
  }

  private void over(InstanceLife life) {
    life.end();
    ends.forEach(each -> each.accept(life));
  }

  /** Calls a listener with each life that ends, on any thread. */
  void onEnd(Consumer<InstanceLife> listener) {
    ends.add(listener);
  }

  /** Calls a listener, on any thread, when the node has gained instances. */
  void onGain(Runnable listener) {
    gains.add(listener);
  }

  /** Returns the epoch in which this node owns an instance; 0 if it is not known to own it. */
  long epoch(String instance) {
    return epochs.getOrDefault(partition(instance), 0L);
  }

  private int partition(String instance) {
    return ActorPath.of(InstanceActor.path(instance)).partition(partitions).number();
  }

  @Override
  public void held(List<Lease> leases) {
    leases.forEach(this::owns);
  }

  @Override
  public void gained(Lease lease, Claim claim) {
    owns(lease);
    gains.forEach(Runnable::run);
  }

  private void owns(Lease lease) {
    if (lease.partition().space().equals(SPACE)) {
      epochs.merge(lease.partition().number(), lease.epoch(), Math::max);
    }
  }

  @Override
  public void lost(Partition partition) {
    if (partition.space().equals(SPACE)) {
      epochs.remove(partition.number());
      lives.values().stream()
          .filter(life -> partition(life.instance()) == partition.number())
          .forEach(this::end);
    }
  }
}
