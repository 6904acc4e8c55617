package io.callboard.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.store.MemoryStore;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Session;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which partitions are claimed; everything runs in the calling thread. */
class OwnershipTest {
  private static final ActorPath ACTOR = ActorPath.of("/a/b");

  private final MemoryStore store = new MemoryStore();
  private final Session session = store.open(new NodeIdentity("node", "boot", "home")).result();
  private final Map<Partition, String> damaged = new HashMap<>();
  private final List<String> calls = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private final Ownership ownership =
      new Ownership(inFront(), "node", "boot", session.partitions(), Runnable::run, new Told());
  private final Partition partition = ownership.partition(ACTOR);

  private final class Told implements Ownership.Listener {
    @Override
    public void gained(Lease lease) {
      told.add("gained " + lease.partition());
    }

    @Override
    public void lost(Partition which) {
      told.add("lost " + which);
    }

    @Override
    public void elsewhere(Set<Partition> partitions) {}

    @Override
    public void denied(Partition which, StoreException cause) {
      told.add("denied " + which);
    }

    @Override
    public void unreadable(Partition which, StoreException cause) {
      told.add("unreadable %s %s %s".formatted(which, cause.kind(), cause.getMessage()));
    }

    @Override
    public void looked(@Nullable StoreException denial) {}
  }

  /** The store, but for leases that it says are damaged. */
  private Store inFront() {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              if (method.getName().equals("unreadableLeases")) {
                return Map.copyOf(damaged);
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aPartitionWhoseLeaseIsDamagedIsToldOnceAndClaimedWhenItIsMended() {
    damaged.put(partition, "znode /o/x is damaged");
    assertThat(ownership.want(ACTOR).succeeded()).isTrue();
    assertThat(told)
        .containsExactly("unreadable %s CORRUPT znode /o/x is damaged".formatted(partition));
    assertThat(calls).as("it is looked at once").containsOnlyOnce("leases");
    assertThat(calls).doesNotContain("claim");

    assertThat(ownership.sweep().succeeded()).isTrue();
    assertThat(told).as("it is told once").hasSize(1);
    assertThat(ownership.want(ACTOR).succeeded()).isTrue();
    assertThat(told).as("to whoever wants it next").hasSize(2);

    damaged.clear();
    assertThat(ownership.sweep().succeeded()).isTrue();
    assertThat(told).last().isEqualTo("gained " + partition);
    assertThat(ownership.lease(ACTOR)).isPresent();
  }

  @Test
  void aDamagedLeaseKeepsNoOtherPartitionFromBeingClaimed() {
    damaged.put(partition, "damaged");
    assertThat(ownership.wantSpace("a").succeeded()).isTrue();
    assertThat(ownership.ownedPartitions())
        .hasSize(session.partitions() - 1)
        .doesNotContain(partition);
  }
}
