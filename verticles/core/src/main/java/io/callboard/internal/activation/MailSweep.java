package io.callboard.internal.activation;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.ownership.AccessDenials;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweep of partitions for mail whose hint was lost: the last rung of the doorbell ladder. A look
 * reads the header of every mailbox of a partition, so a sweep looks into one partition after the
 * other. Used on the durable context.
 */
final class MailSweep {
  private static final Logger log = LoggerFactory.getLogger(MailSweep.class);

  /** Looks after which failures are logged although the sweep goes on. */
  private static final int AT_MOST_UNTOLD = 1_000;

  private final NodeContext node;
  private final AccessDenials denials;
  private final Store store;
  private final Finder finder;

  /** Partitions that the sweep has still to look into; one requested again is looked into again. */
  private final Set<Partition> due = new LinkedHashSet<>();

  private boolean looking;

  /** Looks since the last log line. */
  private int looked;

  private int failed;
  private @Nullable Throwable worst;

  /** Called with the result of a look, on the durable context. */
  interface Finder {
    /**
     * @param actors the actors of the partition that have mail
     * @param lost the lost node that owned the partition before; null if none did
     */
    void withMail(Partition partition, List<ActorPath> actors, @Nullable String lost);
  }

  MailSweep(NodeContext node, Store store, AccessDenials denials, Finder finder) {
    this.node = node;
    this.denials = denials;
    this.store = store;
    this.finder = finder;
  }

  /** Looks into all of these, one after the other. */
  void of(Collection<Partition> partitions) {
    due.addAll(partitions);
    next();
  }

  private void next() {
    if (due.isEmpty() || looked == AT_MOST_UNTOLD) {
      tell();
    }
    if (looking || due.isEmpty()) {
      return;
    }
    Partition partition = due.iterator().next();
    due.remove(partition);
    looking = true;
    look(partition, null).onComplete(done -> node.onDurableContext(() -> looked(done.cause())));
  }

  private void looked(@Nullable Throwable failure) {
    looking = false;
    note(failure);
    next();
  }

  /** Counts a look; denials are reported by {@link AccessDenials}. */
  private void note(@Nullable Throwable failure) {
    looked++;
    if (failure != null && !StoreException.isDenial(failure)) {
      failed++;
      worst = worst == null || willPass(worst) ? failure : worst;
    }
  }

  /**
   * Looks into a partition at once, beside the sweep.
   *
   * @param lost the lost node that owned the partition before; null if none did
   */
  void of(Partition partition, @Nullable String lost) {
    look(partition, lost)
        .onFailure(
            cause ->
                node.onDurableContext(
                    () -> {
                      note(cause);
                      next();
                    }));
  }

  private Future<Void> look(Partition partition, @Nullable String lost) {
    return Future.succeededFuture()
        .compose(begun -> store.withMail(partition))
        .<Void>map(
            found -> {
              node.onDurableContext(() -> finder.withMail(partition, found, lost));
              return null;
            })
        .andThen(done -> denials.note("the mail of partition " + partition, done.cause()));
  }

  private static boolean willPass(Throwable cause) {
    return cause instanceof StoreException store && store.kind() == Kind.UNAVAILABLE;
  }

  /**
   * Logs the failures of the sweep in one line, for a store that is unavailable fails them all. A
   * node that is closing logs none.
   */
  private void tell() {
    if (worst != null && node.hindrance().isEmpty()) {
      log.warn(
          "the mailboxes of {} of {} partitions could not be checked; the next "
              + "sweep tries again: {}",
          failed,
          looked,
          Causes.text(worst));
    }
    looked = 0;
    failed = 0;
    worst = null;
  }
}
