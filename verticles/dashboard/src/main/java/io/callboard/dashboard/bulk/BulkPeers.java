package io.callboard.dashboard.bulk;

import io.callboard.Broadcast;
import io.callboard.Callboard;
import io.callboard.store.Member;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs over many items on the other nodes, as these tell how far they are: what became of those of
 * a node that has died, and what is left, is seen on the others. In memory; a node that joins asks
 * for what the others know. Thread-safe.
 */
public final class BulkPeers implements AutoCloseable {
  /** Time after which a run that goes on is told of again. */
  static final Duration EVERY = Duration.ofSeconds(2);

  /** Maximum number of runs of other nodes that are remembered, the newest ones. */
  static final int MOST = 100;

  private static final Logger log = LoggerFactory.getLogger(BulkPeers.class);

  private final Callboard callboard;
  private final Broadcast<News> broadcast;
  private final Runnable unsubscribe;

  /** What was heard last, by boot, kind and start, in the order of the starts. */
  private final Map<String, News> heard = new LinkedHashMap<>();

  /**
   * News of a run.
   *
   * @param boot boot of its node
   * @param kind word for many of its items
   * @param status how it stands, without its failures; null to ask for what the others know
   */
  public record News(String boot, String kind, @Nullable BulkStatus status) {
    private String key() {
      return boot + " " + kind + " " + (status == null ? "" : status.startedAt());
    }
  }

  /** Begins to listen, and asks the other nodes. */
  public BulkPeers(Callboard callboard) {
    this.callboard = callboard;
    this.broadcast = callboard.broadcast("bulk-actions", News.class);
    this.unsubscribe = broadcast.subscribe(this::hears);
    publish(new News(callboard.bootId(), "", null));
  }

  /** Tells the other nodes how a run of this one stands. */
  void tell(String kind, BulkStatus status) {
    News news = new News(callboard.bootId(), kind, status.withoutFailures());
    hears(news);
    publish(news);
  }

  private void publish(News news) {
    broadcast
        .publish(news.key(), news)
        .onFailure(cause -> log.warn("the other nodes are not told of {}", news.key(), cause));
  }

  private synchronized void hears(News news) {
    if (news.status() != null) {
      heard.put(news.key(), news);
      if (heard.size() > MOST) {
        heard.remove(heard.keySet().iterator().next());
      }
    } else if (!news.boot().equals(callboard.bootId())) {
      heard.values().forEach(this::publish);
    }
  }

  /** Returns the last runs of nodes that are gone, the latest first. */
  public Future<List<BulkStatus>> gone(String kind) {
    return callboard
        .members()
        .map(
            members ->
                gone(kind, members.stream().map(Member::bootId).collect(Collectors.toSet())));
  }

  private synchronized List<BulkStatus> gone(String kind, Set<String> boots) {
    List<BulkStatus> gone = new ArrayList<>();
    for (News each : heard.values()) {
      BulkStatus status = each.status();
      if (status != null && each.kind().equals(kind) && !boots.contains(each.boot())) {
        gone.add(status.interrupted());
      }
    }
    gone.sort(Comparator.comparing(BulkStatus::startedAt).reversed());
    return gone;
  }

  @Override
  public void close() {
    unsubscribe.run();
  }
}
