package io.callboard.turn;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks into partitions for mail whose hint was lost: the last rung of the ladder. */
final class MailSweep {
  private static final Logger log = LoggerFactory.getLogger(MailSweep.class);

  private final CallboardRuntime runtime;
  private final Store store;
  private final Finder finder;

  /** Told what was found, on the durable context. */
  interface Finder {
    /**
     * @param actors those of the partition that have mail
     * @param lost the node that was lost with what worked there; null if none was
     */
    void withMail(Partition partition, List<ActorPath> actors, @Nullable String lost);
  }

  MailSweep(CallboardRuntime runtime, Store store, Finder finder) {
    this.runtime = runtime;
    this.store = store;
    this.finder = finder;
  }

  /** Looks into all of these. */
  void of(Collection<Partition> partitions) {
    told(partitions.stream().map(partition -> look(partition, null)).toList());
  }

  /**
   * @param lost the node that is gone with what worked there; null if none is
   */
  void of(Partition partition, @Nullable String lost) {
    told(List.of(look(partition, lost)));
  }

  private Future<Void> look(Partition partition, @Nullable String lost) {
    return store
        .withMail(partition)
        .<Void>map(
            found -> {
              runtime.onDurableContext(() -> finder.withMail(partition, found, lost));
              return null;
            })
        .onComplete(
            done -> runtime.denials().note("the mail of partition " + partition, done.cause()));
  }

  /** What will not pass by itself, if there is such a cause. */
  private static Throwable worst(List<Throwable> causes) {
    return causes.stream()
        .filter(
            cause -> !(cause instanceof StoreException store) || store.kind() != Kind.UNAVAILABLE)
        .findFirst()
        .orElse(causes.get(0));
  }

  /** A store that is away fails all of them: one line. */
  private static void told(List<Future<Void>> looks) {
    Future.join(looks)
        .onFailure(
            any -> {
              List<Throwable> causes =
                  looks.stream()
                      .filter(look -> look.failed() && !StoreException.isDenial(look.cause()))
                      .map(Future::cause)
                      .toList();
              if (!causes.isEmpty()) {
                log.warn(
                    "the mailboxes of {} of {} partitions could not be looked at; the next sweep"
                        + " tries again: {}",
                    causes.size(),
                    looks.size(),
                    worst(causes).toString());
              }
            });
  }
}
