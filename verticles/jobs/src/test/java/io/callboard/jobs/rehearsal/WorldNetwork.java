package io.callboard.jobs.rehearsal;

import io.callboard.CallboardException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Ways of messages in a world. Durable mail comes once, in the order of its sender, at any time
 * later; from who is no actor perhaps never, or twice if he tries again. What is volatile comes in
 * any order, at any time later, twice or never.
 */
final class WorldNetwork {
  private static final long LOOK_AGAIN = WorldTime.SECOND / 4;

  private final WorldCell cell;
  private final Map<String, Lane> lanes = new HashMap<>();

  WorldNetwork(WorldCell cell) {
    this.cell = cell;
  }

  /** Sends a message to a volatile actor. */
  void send(String to, Object message) {
    int copies = cell.faults().copies();
    for (int i = 0; i < copies; i++) {
      cell.time().after(cell.faults().networkDelay(), () -> cell.arrives(to, message));
    }
  }

  /** Sends what a turn of a durable actor has committed. */
  void outbox(String from, String to, Object message) {
    lane(from, to).add(new Sent(null, to, message, null));
  }

  /**
   * Stores a message of somebody on a node who is no durable actor.
   *
   * @param sender whose messages to one receiver keep their order
   */
  Future<Void> store(WorldNode from, String sender, String to, Object message) {
    Promise<Void> answer = Promise.promise();
    lane(from + " " + sender, to).add(new Sent(from, to, message, answer));
    return answer.future();
  }

  private Lane lane(String from, String to) {
    return lanes.computeIfAbsent(from + " " + to, key -> new Lane());
  }

  private record Sent(WorldNode from, String to, Object message, Promise<Void> answer) {
    void fail() {
      if (from != null) {
        from.schedule(
            0,
            () ->
                answer.fail(
                    new CallboardException(
                        CallboardException.Code.UNAVAILABLE, "the outcome is unknown")));
      }
    }
  }

  /** Messages from one sender to one receiver, in their order. */
  private final class Lane {
    private final Deque<Sent> waiting = new ArrayDeque<>();
    private boolean busy;

    void add(Sent sent) {
      waiting.add(sent);
      go(cell.faults().storeDelay());
    }

    private void go(long delayNs) {
      if (!busy && !waiting.isEmpty()) {
        busy = true;
        cell.time().after(delayNs, this::next);
      }
    }

    private void next() {
      busy = false;
      Sent sent = waiting.peek();
      WorldNode from = sent.from();
      if (from == null) {
        waiting.remove();
        cell.stores(sent.to(), sent.message());
      } else if (!from.isAlive()) {
        waiting.clear();
      } else if (!from.isInTouch()) {
        go(LOOK_AGAIN);
        return;
      } else {
        waiting.remove();
        request(sent);
      }
      go(cell.faults().storeDelay());
    }

    private void request(Sent sent) {
      WorldFaults.Request request = cell.faults().request();
      if (request != WorldFaults.Request.LOST) {
        cell.stores(sent.to(), sent.message());
      }
      if (request == WorldFaults.Request.APPLIED) {
        sent.from().schedule(cell.faults().answerDelay(), sent.answer()::complete);
      } else {
        sent.fail();
      }
    }
  }
}
