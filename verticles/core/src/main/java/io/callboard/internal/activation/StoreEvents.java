package io.callboard.internal.activation;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.internal.activation.ActiveActors.Entry;
import io.callboard.internal.commit.CommitPort;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.membership.CellEvents;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.store.StoreListener;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listener that passes the store's events, which come on any thread, to the durable actors of this
 * node.
 */
public final class StoreEvents implements StoreListener {
  private static final Logger log = LoggerFactory.getLogger(StoreEvents.class);

  private final NodeContext node;
  private final CommitPort commits;
  private final Consumer<Throwable> lost;
  private final CellEvents news;
  private final DurableActors durables;
  private final ActiveActors activeActors;
  private final MailActivator wake;
  private final AtomicReference<@Nullable Long> awaySinceNs = new AtomicReference<>();

  /**
   * @param lost called on the durable context when the store serves this node no more
   */
  StoreEvents(
      NodeContext node,
      CommitPort commits,
      Consumer<Throwable> lost,
      CellEvents news,
      DurableActors durables,
      ActiveActors activeActors,
      MailActivator wake) {
    this.node = node;
    this.commits = commits;
    this.lost = lost;
    this.news = news;
    this.durables = durables;
    this.activeActors = activeActors;
    this.wake = wake;
  }

  /** Passes an event on to the durable context, unless the node owns nothing by then. */
  private void whileOpen(Consumer<PartitionOwnership> event) {
    node.onDurableContext(() -> durables.claims().ifPresent(event));
  }

  @Override
  public void mail(ActorPath actor, long sequence) {
    node.onDurableContext(
        () -> {
          Entry entry = activeActors.get(actor);
          if (entry != null && commits.isSendingTo(actor)) {
            entry.runner().mail().expect(sequence);
          } else if (entry != null && entry.runner().isOwned()) {
            entry.runner().mail().foretold(sequence);
          } else {
            wake.mailFor(actor, sequence);
          }
        });
  }

  @Override
  public void leaseChanged(Partition partition) {
    whileOpen(ownership -> ownership.changed(partition));
  }

  @Override
  public void membersChanged() {
    whileOpen(
        ownership -> {
          ownership.sweep().onFailure(NodeContext::reportedElsewhere);
          news.membersChanged();
        });
  }

  @Override
  public void connected() {
    Long sinceNs = awaySinceNs.getAndSet(null);
    if (sinceNs != null) {
      log.info("the store is reached again, after {} ms", (node.nanoTime() - sinceNs) / 1_000_000);
    }
    whileOpen(
        ownership -> {
          durables.sweep();
          news.membersChanged(); // what was said meanwhile is lost
        });
  }

  @Override
  public void disconnected() {
    if (awaySinceNs.compareAndSet(null, node.nanoTime())) {
      log.warn("the store cannot be reached; durable work waits until it can");
    }
  }

  @Override
  public void inTouch(boolean inTouch) {
    whileOpen(ownership -> wake.roles().inTouch(inTouch, ownership));
  }

  @Override
  public void sessionLives(long untilNanos) {
    node.onDurableContext(() -> news.sessionLives(untilNanos));
  }

  @Override
  public void sessionLost() {
    log.warn(
        "the session with the store has expired; other nodes may take over what this node owned");
    node.onDurableContext(news::sessionLost);
  }

  @Override
  public void ended(Throwable cause) {
    node.onDurableContext(() -> lost.accept(cause));
  }
}
