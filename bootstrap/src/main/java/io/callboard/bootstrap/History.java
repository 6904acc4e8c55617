package io.callboard.bootstrap;

import io.callboard.archive.Archive;
import io.callboard.feed.FeedSink;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The node's part of the cell's archive, if it has one. Opening and closing block. */
final class History {
  private static final Logger log = LoggerFactory.getLogger(History.class);
  private static final Duration LIMIT = Duration.ofSeconds(15);

  private final @Nullable Archive archive;

  private History(@Nullable Archive archive) {
    this.archive = archive;
  }

  /**
   * @param url null for none
   * @throws Refusal if the database cannot be used; without its address, which may hold a password
   */
  static History open(Vertx vertx, @Nullable String url) {
    if (url == null) {
      return new History(null);
    }
    try {
      return new History(Archive.open(vertx, url).await(LIMIT.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      throw Refusal.failed("the archive's database does not answer: see --archive");
    } catch (RuntimeException e) {
      log.info("the archive cannot be opened", e);
      throw Refusal.failed(
          "the archive's database cannot be used: %s; see --archive".formatted(rootOf(e)));
    }
  }

  private static String rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage()).lines().findFirst().orElse(root.toString());
  }

  FeedSink sink() {
    return archive == null ? FeedSink.NONE : archive.sink();
  }

  void close() throws TimeoutException {
    if (archive != null) {
      archive.close().await(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }
  }
}
