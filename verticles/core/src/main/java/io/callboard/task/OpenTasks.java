package io.callboard.task;

import io.callboard.time.Time;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Background tasks of one node, which close with it. Safe for use by many threads. */
public final class OpenTasks {
  private final Vertx vertx;
  private final Supplier<RandomGenerator> randoms;
  private final Set<BackgroundTasks> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * Creates those of a node without any.
   *
   * @param randoms returns a new random generator of the node
   */
  public OpenTasks(Vertx vertx, Supplier<RandomGenerator> randoms) {
    this.vertx = vertx;
    this.randoms = randoms;
  }

  /**
   * Returns new tasks, whose delays are measured by that time.
   *
   * @param of what they do, for the log
   */
  public BackgroundTasks by(String of, Time time) {
    BackgroundTasks made = new BackgroundTasks(of, vertx, time, randoms, open);
    open.add(made);
    if (closed) {
      made.close();
    }
    return made;
  }

  /** Closes all of them, and those that are made later. */
  public void close() {
    closed = true;
    open.forEach(BackgroundTasks::close);
  }
}
