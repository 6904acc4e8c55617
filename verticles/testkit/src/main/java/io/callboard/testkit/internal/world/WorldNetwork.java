package io.callboard.testkit.internal.world;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

  /**
   * Sends a message to a volatile actor.
   *
   * @param from node of the sender; null for nobody of the world
   * @param answer answer for which the sender waits; null for none
   */
  void send(@Nullable WorldNode from, String to, Object message, @Nullable WorldAnswer answer) {
    VolatileLife here = from == null ? null : from.actor(to);
    if (here != null) {
      cell.arrives(here, to, message, answer);
      return;
    }
    int copies = cell.faults().copies();
    for (int i = 0; i < copies; i++) {
      cell.time().after(cell.faults().networkDelay(), () -> cell.arrives(to, message, answer));
    }
  }

  /** Sends what a turn of a durable actor has committed. */
  void outbox(String from, String to, Object message) {
    lane(from, to).add(new Sent(null, to, message, null, null));
  }

  /**
   * Stores a message of somebody on a node who is no durable actor.
   *
   * @param sender whose messages to one receiver keep their order
   * @param answer answer for which he waits; null for none
   */
  Future<Void> store(
      WorldNode from, String sender, String to, Object message, @Nullable WorldAnswer answer) {
    Promise<Void> stored = Promise.promise();
    lane(from + " " + sender, to).add(new Sent(from, to, message, answer, stored));
    return stored.future();
  }

  private Lane lane(String from, String to) {
    return lanes.computeIfAbsent(from + " " + to, key -> new Lane());
  }

  private record Sent(
      @Nullable WorldNode from,
      String to,
      Object message,
      @Nullable WorldAnswer answer,
      @Nullable Promise<Void> stored) {}

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
      Sent sent = waiting.element();
      WorldNode from = sent.from();
      Promise<Void> stored = sent.stored();
      if (from == null || stored == null) {
        waiting.remove();
        cell.stores(sent.to(), sent.message(), null);
      } else if (!from.isAlive()) {
        waiting.clear();
      } else if (!from.isInTouch()) {
        go(LOOK_AGAIN);
        return;
      } else {
        waiting.remove();
        request(from, sent, stored);
      }
      go(cell.faults().storeDelay());
    }

    private void request(WorldNode from, Sent sent, Promise<Void> stored) {
      WorldFaults.Request request = cell.faults().request();
      if (request != WorldFaults.Request.LOST) {
        cell.stores(sent.to(), sent.message(), sent.answer());
      }
      if (request == WorldFaults.Request.APPLIED) {
        var unused = from.schedule(cell.faults().answerDelay(), stored::complete);
      } else {
        var unused = from.schedule(0, () -> stored.fail(unknown()));
      }
    }
  }

  private static CallboardException unknown() {
    return new CallboardException(Code.UNAVAILABLE, "the outcome is unknown");
  }
}
