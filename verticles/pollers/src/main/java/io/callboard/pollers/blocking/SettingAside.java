package io.callboard.pollers.blocking;

import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a source has taken and cannot deliver, as a message without an id, until it is set aside. If
 * that fails, the others are delivered all the same, and it is tried again with the next poll. All
 * methods are called on the context of the source.
 */
public final class SettingAside {
  /** More are not kept: then polls fail. */
  static final int MOST = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(SettingAside.class);

  private final String source;
  private final BiFunction<String, String, Future<Void>> dead;
  private final Map<String, String> left = new LinkedHashMap<>();
  private boolean hasMore;

  /**
   * Creates it without anything.
   *
   * @param source the source, for people
   * @param dead sets a receipt aside with its cause
   */
  public SettingAside(String source, BiFunction<String, String, Future<Void>> dead) {
    this.source = source;
    this.dead = dead;
  }

  /** Adds what is to be set aside. */
  public void add(String receipt, String cause) {
    LOG.warn("{}: a message is set aside: {}", source, cause);
    left.put(receipt, cause);
    hasMore = true;
  }

  /**
   * Sets aside what it has. Fails only if that fails and the poll has brought nothing else: then
   * there is nothing behind it that it would hold.
   *
   * @param messages messages that the poll has brought
   */
  public Future<List<SourceMessage>> thenDeliver(List<SourceMessage> messages) {
    boolean isOver = messages.isEmpty() && !hasMore;
    hasMore = false;
    Future<Void> ended = Future.succeededFuture();
    for (Map.Entry<String, String> each : Map.copyOf(left).entrySet()) {
      ended =
          ended
              .compose(v -> dead.apply(each.getKey(), each.getValue()))
              .onSuccess(v -> left.remove(each.getKey()));
    }
    return ended.transform(
        done -> {
          if (done.succeeded()) {
            return Future.succeededFuture(messages);
          } else if (isOver || left.size() > MOST) {
            return Future.failedFuture(done.cause());
          }
          LOG.warn("{}: {} messages are not set aside yet", source, left.size(), done.cause());
          return Future.succeededFuture(messages);
        });
  }
}
