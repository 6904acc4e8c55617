package io.callboard.bench;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Commands to actors that persist events, so many of them unanswered at a time. An event counts
 * when its command is answered: then it is durable.
 */
abstract class Unanswered implements Load {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final int most;
  private final int events;
  private final Semaphore room;
  private final LongAdder done = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile boolean running;

  /**
   * @param most commands unanswered at a time
   * @param events that each of them leads to
   */
  Unanswered(int most, int events) {
    this.most = most;
    this.events = events;
    this.room = new Semaphore(most);
  }

  /** Sends one command more; when it is answered, {@link #answered()} is called. */
  abstract void send(long number) throws Exception;

  /** A command's events are durable. */
  final void answered() {
    done.add(events);
    room.release();
  }

  /** A command was refused. */
  final void failed() {
    failed.increment();
    room.release();
  }

  @Override
  public void start() {
    running = true;
    Thread sender = new Thread(this::sendOn, "sender");
    sender.setDaemon(true);
    sender.start();
  }

  private void sendOn() {
    for (long number = 0; running; number++) {
      sendOne(number);
    }
  }

  private void sendOne(long number) {
    room.acquireUninterruptibly();
    try {
      send(number);
    } catch (Exception e) {
      failed();
    }
  }

  /** Measures the latency of commands, each told when all before are answered. */
  final Latencies latencies(Duration window) throws Exception {
    Latencies latencies = new Latencies();
    long end = System.nanoTime() + window.toNanos();
    for (long number = 0; System.nanoTime() < end; number++) {
      long told = System.nanoTime();
      sendOne(number);
      if (!room.tryAcquire(most, LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new TimeoutException("a command was not answered within " + LIMIT);
      }
      latencies.add(System.nanoTime() - told);
      room.release(most);
    }
    stop();
    return latencies;
  }

  /** Sends so many commands and waits for the answers. */
  final void send(int commands) throws Exception {
    for (int i = 0; i < commands; i++) {
      sendOne(i);
    }
    stop();
  }

  @Override
  public long done() {
    return done.sum();
  }

  @Override
  public void stop() throws Exception {
    running = false;
    Load.await("every command answered", LIMIT, () -> room.availablePermits() == most);
    if (failed.sum() > 0) {
      throw new IllegalStateException(failed.sum() + " commands were refused");
    }
  }
}
