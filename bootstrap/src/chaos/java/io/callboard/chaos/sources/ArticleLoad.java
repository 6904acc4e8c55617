package io.callboard.chaos.sources;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sender of articles to one queue, one after the other; one that was not answered is sent again
 * under its id.
 */
final class ArticleLoad implements AutoCloseable {
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(60);
  private static final long LONG_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Articles that wait or are taken, at most. */
  private static final int MOST_WAITING = 150;

  private final ArticleQueue queue;
  private final Set<String> accepted = ConcurrentHashMap.newKeySet();
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private volatile boolean ended;

  ArticleLoad(ArticleQueue queue) {
    this.queue = queue;
    this.thread = new Thread(this::run, "articles-" + queue.kind());
    this.thread.setDaemon(true);
  }

  void begin() {
    thread.start();
  }

  private void run() {
    int number = 0;
    while (!ended) {
      String article = queue.letter() + number;
      if (hasRoom() && sent(article)) {
        number++;
        LockSupport.parkNanos(PAUSE_NS);
      } else {
        LockSupport.parkNanos(LONG_PAUSE_NS);
      }
    }
  }

  private boolean hasRoom() {
    try {
      return queue.waiting() < MOST_WAITING;
    } catch (Exception e) {
      return false; // it is down; what was wrong is seen at the end
    }
  }

  private boolean sent(String article) {
    unknown.add(article);
    try {
      queue.send(article);
    } catch (Exception e) {
      return false; // sent again
    }
    accepted.add(article);
    unknown.remove(article);
    return true;
  }

  /** Returns the articles so far. */
  Articles articles() {
    return new Articles(accepted, unknown);
  }

  int accepted() {
    return accepted.size();
  }

  /** Ends; what was sent is still done. */
  void end() throws InterruptedException {
    ended = true;
    if (thread.isAlive()) {
      thread.join();
    }
  }

  @Override
  public void close() throws Exception {
    end();
    queue.close();
  }
}
