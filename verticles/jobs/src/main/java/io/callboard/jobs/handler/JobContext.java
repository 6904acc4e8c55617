package io.callboard.jobs.handler;

import io.vertx.core.Future;
import java.util.Optional;

/**
 * Run of a job, as its handler sees it. Thread-safe.
 *
 * @param <A> type of the arguments
 */
public interface JobContext<A> {
  /** Returns the id of the job, the same in all its runs: the key for effects elsewhere. */
  String job();

  /** Returns the number of the run, from 1; a later run of the job has a higher one. */
  int run();

  /**
   * Returns the number of the attempt, from 1; a run that was lost is repeated within its attempt.
   */
  int attempt();

  /**
   * Returns the fencing token of the run: a later run of the cell has a higher one. Who keeps the
   * highest that it has seen, and refuses lower ones, is safe from runs that should have ended.
   */
  long epoch();

  /** Returns the arguments with which the job was submitted. */
  A args();

  /**
   * Returns the last checkpoint of the runs before; empty if there is none.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be read as that type
   */
  <C> Optional<C> checkpoint(Class<C> type);

  /**
   * Saves a checkpoint, with which the next run begins if this one fails or is lost. It is durable
   * about a second later, and at most every five seconds.
   *
   * @throws IllegalArgumentException if it is over 64 KiB as JSON
   * @throws io.callboard.codecs.CodecException if it cannot be read back
   */
  void checkpoint(Object state);

  /** Reports progress for people: one line, cut to 500 characters. */
  void progress(String text);

  /**
   * Appends a line to the log of the job, where it appears at once. Never blocks: lines that come
   * faster than the disk takes them are left out, and counted in the log.
   */
  void log(String line);

  /**
   * Returns a future that completes when the run is to end: the job is cancelled, its time is over,
   * or its node stops or has lost its session. After 5 s the thread of the handler is interrupted,
   * and after 10 s it is reported with its stack. Its slot stays taken until it has ended, and what
   * it returns then does not count.
   */
  Future<Void> cancelled();

  /** Returns whether the run is to end. */
  default boolean isCancelled() {
    return cancelled().isComplete();
  }
}
