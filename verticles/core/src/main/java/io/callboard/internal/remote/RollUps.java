package io.callboard.internal.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.CallboardAdmin;
import io.callboard.admin.MailSurvey;
import io.callboard.admin.RemoteAdmin;
import io.callboard.internal.context.NodeContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Roll-ups of this node: each is built on a worker thread when somebody asks and the last one is
 * over a second old; all who ask meanwhile share it. Thread-safe.
 */
final class RollUps {
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private final NodeContext node;
  private final Supplier<CallboardAdmin> admin;
  private @Nullable ObjectNode last;
  private @Nullable Future<ObjectNode> underWay;
  private long builtNanos;

  RollUps(NodeContext node, Supplier<CallboardAdmin> admin) {
    this.node = node;
    this.admin = admin;
  }

  /** Completes with a roll-up that nobody may change, on any thread. */
  Future<ObjectNode> read() {
    Promise<ObjectNode> begun = Promise.promise();
    synchronized (this) {
      if (underWay != null) {
        return underWay;
      } else if (last != null && node.nanoTime() - builtNanos < FRESH_NANOS) {
        return Future.succeededFuture(last);
      }
      underWay = begun.future();
    }
    begun.future().onComplete(done -> ended());
    try {
      admin
          .get()
          .mail()
          .compose(mail -> node.vertx().executeBlocking(() -> build(mail), false))
          .onComplete(begun);
    } catch (RuntimeException e) { // as when the Vert.x has closed
      begun.fail(e);
    }
    return begun.future();
  }

  private synchronized void ended() {
    underWay = null;
  }

  private ObjectNode build(MailSurvey mail) {
    CallboardAdmin here = admin.get();
    ObjectNode built =
        RollUp.of(
            here.actorCounts(),
            here.down(RemoteAdmin.MOST),
            mail,
            here.failureZones(),
            here.zones(),
            node.clock().instant());
    synchronized (this) {
      last = built;
      builtNanos = node.nanoTime();
    }
    return built;
  }
}
