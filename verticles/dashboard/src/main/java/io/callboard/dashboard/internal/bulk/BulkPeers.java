package io.callboard.dashboard.internal.bulk;

import io.callboard.Broadcast;
import io.callboard.Callboard;
import io.callboard.store.Member;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bulk actions of the other nodes, as these report them, so that all nodes show the results of one
 * that has died, and what it left. In memory; a node that joins asks for what the others know. All
 * nodes hear each answer: each waits for a time of its own and tells only what none has told
 * meanwhile, so most often one node answers. Thread-safe.
 */
public final class BulkPeers implements AutoCloseable {
  /** Time after which a run that goes on is told of again. */
  static final Duration EVERY = Duration.ofSeconds(2);

  /** Time within which a node that asks is answered. */
  static final Duration ANSWERED = Duration.ofSeconds(1);

  /** Maximum number of runs of other nodes that are remembered, the newest ones. */
  static final int MOST = 100;

  private static final Logger log = LoggerFactory.getLogger(BulkPeers.class);

  private final Callboard callboard;
  private final Context context;
  private final String boot;
  private final Broadcast<News> broadcast;
  private final Runnable unsubscribe;

  /** Latest news of each run by its key, in the order of the starts. */
  private final Map<String, News> heard = new LinkedHashMap<>();

  /** Keys of the news that a node has asked for and none has told since. */
  private final Set<String> asked = new LinkedHashSet<>();

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
    this(callboard, callboard.bootId());
  }

  /**
   * Begins to listen, and asks the other nodes.
   *
   * @param boot boot of this node
   */
  BulkPeers(Callboard callboard, String boot) {
    this.callboard = callboard;
    this.context = callboard.vertx().getOrCreateContext();
    this.boot = boot;
    this.broadcast = callboard.broadcast("bulk-actions", News.class);
    this.unsubscribe = broadcast.subscribe(this::hears);
    publish(new News(boot, "", null));
  }

  /** Reports the state of a run of this node to the others. */
  void tell(String kind, BulkStatus status) {
    News news = new News(boot, kind, status.withoutFailures());
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
      asked.remove(news.key());
      heard.merge(news.key(), news, BulkPeers::latest);
      if (heard.size() > MOST) {
        heard.remove(heard.keySet().iterator().next());
      }
    } else if (!news.boot().equals(boot)) {
      asked.addAll(heard.keySet());
      var unused = callboard.time().after(context, pause(boot, news.boot()), this::answer);
    }
  }

  private static News latest(News known, News told) {
    return known.status() != null
            && told.status() != null
            && known.status().isLaterThan(told.status())
        ? known
        : told;
  }

  private synchronized void answer() {
    for (String key : asked) {
      News news = heard.get(key);
      if (news != null) {
        publish(news);
      }
    }
    asked.clear();
  }

  /** Returns the time after which a node answers a question, unless another node has. */
  static Duration pause(String boot, String asking) {
    return Duration.ofMillis(Math.floorMod((boot + asking).hashCode(), ANSWERED.toMillis()));
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
    synchronized (this) {
      asked.clear();
    }
  }
}
