package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.testkit.Futures;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Source whose methods a test calls on one context, waiting for the results. */
public final class CalledSource {
  private static final long LIMIT_NANOS = Duration.ofSeconds(15).toNanos();

  private final Source source;
  private final Context context;

  /** Creates the caller. */
  public CalledSource(Vertx vertx, Source source) {
    this.source = source;
    this.context = ((VertxInternal) vertx).createEventLoopContext();
  }

  /** Calls a method, and returns its result or throws its failure. */
  public <T> T call(Function<Source, Future<T>> method) {
    Promise<T> result = Promise.promise();
    context.runOnContext(v -> method.apply(source).onComplete(result));
    return Futures.await(result.future());
  }

  /** Extends leases; returns the receipts that are lost. */
  public Set<String> extend(Collection<String> receipts) {
    return call(each -> each.extend(receipts));
  }

  /** Polls until this many messages have come. */
  public List<SourceMessage> take(int count) {
    List<SourceMessage> taken = new ArrayList<>();
    long begunNanos = System.nanoTime();
    while (taken.size() < count) {
      int left = count - taken.size();
      taken.addAll(call(each -> each.poll(left)));
      if (System.nanoTime() - begunNanos > LIMIT_NANOS) {
        throw new AssertionError("only %d of %d: %s".formatted(taken.size(), count, taken));
      }
    }
    return taken;
  }

  /** Polls until there is one message. */
  public SourceMessage one() {
    return take(1).get(0);
  }

  /** Polls once. */
  public List<SourceMessage> poll() {
    return call(each -> each.poll(10));
  }

  /** Returns what does not work though calls succeed. */
  public Optional<String> trouble() {
    return call(each -> Future.succeededFuture(each.trouble()));
  }

  /** Returns messages by their contents. */
  public static Map<String, SourceMessage> byText(List<SourceMessage> messages) {
    Map<String, SourceMessage> byText = new TreeMap<>();
    messages.forEach(message -> byText.put(message.body().toString(), message));
    return byText;
  }
}
