package io.callboard.turn;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many durable actors of this node read what is stored of them at once; the others wait in
 * their order. So a node that takes over many does not storm the store. On the durable context.
 */
final class Recoveries {
  private static final Logger log = LoggerFactory.getLogger(Recoveries.class);

  private final int most;
  private final Deque<Permit> waiting = new ArrayDeque<>();
  private int given;

  Recoveries(int most) {
    this.most = most;
  }

  /** One actor's right to read; it is given back once. */
  final class Permit {
    private final Runnable begin;
    private boolean isGiven;
    private boolean isBack;

    private Permit(Runnable begin) {
      this.begin = begin;
    }

    /** What cannot even begin leaves its place to others. */
    private void begin() {
      try {
        begin.run();
      } catch (RuntimeException | Error e) {
        log.error("an actor failed when it was to be read", e);
        giveBack();
      }
    }

    /** It reads no more, or will not. */
    void giveBack() {
      if (isBack) {
        return;
      }
      isBack = true;
      if (isGiven) {
        given--;
        next();
      } else {
        boolean unused = waiting.remove(this);
      }
    }
  }

  /**
   * @param begin called when it may read, now or later
   */
  Permit ask(Runnable begin) {
    Permit permit = new Permit(begin);
    waiting.addLast(permit);
    next();
    return permit;
  }

  private void next() {
    while (given < most && !waiting.isEmpty()) {
      Permit first = waiting.removeFirst();
      first.isGiven = true;
      given++;
      first.begin();
    }
  }

  /** Actors that wait for their permit. */
  int waiting() {
    return waiting.size();
  }
}
