package io.callboard.zookeeper.internal.lease;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.StoreListener;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.layout.Layout;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recursive watches on the members, the leases, and the mailboxes of each owned partition. The
 * client sets them again when it reconnects, but events of the time between are lost: listeners
 * read for themselves then.
 */
public final class CellWatches {
  private static final Logger log = LoggerFactory.getLogger(CellWatches.class);

  private final Set<Partition> owned = ConcurrentHashMap.newKeySet();
  private volatile @Nullable StoreListener listener;

  /** Sets the listener of events. */
  public void listen(StoreListener next) {
    listener = next;
  }

  /** Passes an event to the listener; without one it is dropped. */
  public void tell(Consumer<StoreListener> event) {
    StoreListener current = listener;
    if (current != null) {
      event.accept(current);
    }
  }

  /** Sets every watch on a new handle. */
  public Future<Void> set(Handle handle, Layout layout) {
    List<Future<Void>> watches = new ArrayList<>();
    watches.add(handle.watch(layout.top("h"), this::member));
    watches.add(handle.watch(layout.top("o"), event -> lease(layout, event)));
    for (Partition partition : owned) {
      watches.add(watch(handle, layout, partition));
    }
    return Future.all(watches).mapEmpty();
  }

  Future<Void> add(Handle handle, Layout layout, Partition partition) {
    owned.add(partition);
    return watch(handle, layout, partition);
  }

  private Future<Void> watch(Handle handle, Layout layout, Partition partition) {
    String mailboxes = layout.mailboxes(partition);
    return handle.watch(mailboxes, event -> mail(mailboxes, event));
  }

  /** Removes the watch of a partition that this node no longer owns. */
  void remove(Handle handle, Layout layout, Partition partition) {
    if (owned.remove(partition)) {
      handle
          .unwatch(layout.mailboxes(partition))
          .onFailure(
              cause ->
                  log.debug("the watch of partition {} could not be removed", partition, cause));
    }
  }

  Set<Partition> owned() {
    return Set.copyOf(owned);
  }

  /** Returns whether the mailboxes of that partition are watched, since this node owns it. */
  public boolean owns(Partition partition) {
    return owned.contains(partition);
  }

  private void member(WatchedEvent event) {
    if (event.getType() != EventType.None) {
      tell(StoreListener::membersChanged);
    }
  }

  private void lease(Layout layout, WatchedEvent event) {
    if (event.getType() != EventType.None && event.getPath().length() > layout.top("o").length()) {
      String name = BulkReads.name(event.getPath());
      if (layout.isPartition(name)) {
        Partition partition = Partition.parse(name);
        tell(current -> current.leaseChanged(partition));
      }
    }
  }

  private void mail(String mailboxes, WatchedEvent event) {
    if (event.getType() != EventType.NodeCreated) {
      return;
    }
    String path = event.getPath();
    String below = path.substring(Math.min(mailboxes.length() + 1, path.length()));
    int slash = below.indexOf('/');
    if (slash > 0
        && Layout.isMailbox(below.substring(0, slash))
        && Layout.SegmentName.is(below.substring(slash + 1))) {
      String mailbox = below.substring(0, slash);
      ActorPath actor = Layout.actorOf(mailbox);
      long generation = Layout.generation(mailbox);
      long sequence = Layout.SegmentName.parse(generation, below.substring(slash + 1)).sequence();
      tell(current -> current.mail(actor, sequence));
    }
  }
}
