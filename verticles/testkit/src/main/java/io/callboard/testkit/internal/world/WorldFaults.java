package io.callboard.testkit.internal.world;

import java.util.SplittableRandom;

/** Faults of a world by its seed: what happens to messages, commits and answers. */
public final class WorldFaults {
  private final SplittableRandom random;
  private boolean on;

  /** When an actor's object ends, with what is only in memory. */
  enum Crash {
    NONE,
    /** Before the commit of its turn, which is handled again. */
    BEFORE,
    /** After the commit, before anything volatile has left. */
    AFTER
  }

  /** Fate of a request to the store whose sender is no actor. */
  enum Request {
    APPLIED,
    LOST,
    /** Applied, but its sender hears of a failure. */
    ANSWER_LOST
  }

  WorldFaults(SplittableRandom random) {
    this.random = random;
  }

  /** Switches the faults on or off. */
  public void on(boolean now) {
    on = now;
  }

  private boolean chance(int in) {
    return on && random.nextInt(in) == 0;
  }

  private long delay(int rare, long longest, long usual) {
    return random.nextLong(1 + (chance(rare) ? longest : usual));
  }

  /**
   * Decides about the end of a turn.
   *
   * @param seldom turns, on average, for one after which the object ends
   */
  Crash crash(int seldom) {
    if (chance(seldom)) {
      return random.nextBoolean() ? Crash.BEFORE : Crash.AFTER;
    }
    return Crash.NONE;
  }

  Request request() {
    if (chance(25)) {
      return random.nextBoolean() ? Request.LOST : Request.ANSWER_LOST;
    }
    return Request.APPLIED;
  }

  long turnDelay() {
    return delay(50, 3 * WorldTime.SECOND, 20 * WorldTime.MS);
  }

  long answerDelay() {
    return delay(30, 5 * WorldTime.SECOND, 10 * WorldTime.MS);
  }

  /** Returns the delay of durable mail. */
  long storeDelay() {
    return delay(20, 15 * WorldTime.SECOND, 30 * WorldTime.MS);
  }

  /** Returns how many times a volatile message arrives. */
  int copies() {
    return chance(15) ? 0 : chance(25) ? 2 : 1;
  }

  /** Returns the delay of a volatile message, which others overtake. */
  long networkDelay() {
    return delay(5, 40 * WorldTime.SECOND, 50 * WorldTime.MS);
  }

  /** Returns the time until a node knows that another one has an actor now. */
  long noticeDelay() {
    return delay(3, 20 * WorldTime.SECOND, 50 * WorldTime.MS);
  }

  /** Returns the pause before an actor whose start or turn has failed is started again. */
  long backoff() {
    return WorldTime.SECOND / 5 + random.nextLong(2 * WorldTime.SECOND);
  }
}
