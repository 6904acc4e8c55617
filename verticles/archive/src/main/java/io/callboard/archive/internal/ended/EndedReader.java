package io.callboard.archive.internal.ended;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reader of what has ended from a database that may be away: each answer has a limit, and lists do
 * without it for some time after it did not answer. Thread-safe.
 *
 * @param <V> views of the rows in lists
 */
public final class EndedReader<V> {
  /** Time for which lists do without the database after a page could not be read, by default. */
  public static final Duration PAUSE = Duration.ofSeconds(10);

  private static final Duration ANSWER = Duration.ofSeconds(5);

  /** Time limit of a page of a list, which can do without the database. */
  private static final Duration PAGE = Duration.ofSeconds(2);

  /** Maximum number of unreadable rows that are remembered, so that each is logged once. */
  private static final int MOST_REMEMBERED = 1_000;

  private static final Logger log = LoggerFactory.getLogger(EndedReader.class);

  private final String what;
  private final Class<V> view;
  private final Time time;
  private final Duration pause;
  private final Supplier<? extends RuntimeException> away;
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Long awayNs;

  /**
   * Creates a reader.
   *
   * @param what name of a row in the log, such as {@code job}
   * @param view class of the views
   * @param pause time for which lists do without the database after a page could not be read
   * @param away makes the failure of a reading without an answer
   */
  public EndedReader(
      String what,
      Class<V> view,
      Time time,
      Duration pause,
      Supplier<? extends RuntimeException> away) {
    this.what = what;
    this.view = view;
    this.time = time;
    this.pause = pause;
    this.away = away;
  }

  /** Returns what the database answers in time. */
  public <T> Future<T> answer(Future<T> asked) {
    return asked
        .timeout(ANSWER.toMillis(), TimeUnit.MILLISECONDS)
        .recover(
            cause -> {
              log.debug("the archive's database does not answer", cause);
              return Future.failedFuture(away.get());
            });
  }

  /**
   * Returns a page of a list; a row that cannot be read hides no other.
   *
   * @param asked asks for the views of the page
   * @param limit maximum number of rows; a full page may have more behind it
   * @return never fails; an empty page at once for some time after the rows were missing
   */
  public Future<EndedPage<V>> page(Supplier<Future<List<String>>> asked, int limit) {
    Long since = awayNs;
    if (since != null && time.nanoTime() - since < pause.toNanos()) {
      return Future.succeededFuture(EndedPage.empty(true));
    }
    return asked
        .get()
        .timeout(PAGE.toMillis(), TimeUnit.MILLISECONDS)
        .map(views -> page(views, limit))
        .onComplete(done -> awayNs = done.failed() ? Long.valueOf(time.nanoTime()) : null)
        .onFailure(
            cause ->
                log.warn(
                    "lists lack the archived {}s for {} s: {}",
                    what,
                    pause.toSeconds(),
                    cause.toString()))
        .otherwise(cause -> EndedPage.empty(true));
  }

  private EndedPage<V> page(List<String> views, int limit) {
    List<V> rows = new ArrayList<>();
    CodecException damage = null;
    for (String each : views) {
      byte[] json = each.getBytes(StandardCharsets.UTF_8);
      try {
        rows.add(Json.read("an archived " + what, json, view));
      } catch (CodecException e) {
        damage = e;
        unreadable(id(json), e);
      }
    }
    boolean full = views.size() >= limit;
    if (full && rows.isEmpty() && damage != null) {
      throw damage; // nothing says where the next page begins
    }
    return new EndedPage<>(rows, full, false);
  }

  /** Returns the id of a view, as far as it can be read. */
  private String id(byte[] json) {
    try {
      return Json.parse("an archived " + what, json).path("id").asText();
    } catch (CodecException e) {
      return "without an id";
    }
  }

  /** Logs a row that cannot be read, once: lists are read again and again. */
  private void unreadable(String id, CodecException cause) {
    if (unreadable.size() >= MOST_REMEMBERED) {
      unreadable.clear();
    }
    if (unreadable.add(id)) {
      log.error(
          "the archived {} {} cannot be read and is missing from lists: {}",
          what,
          id,
          cause.getMessage());
    }
  }
}
