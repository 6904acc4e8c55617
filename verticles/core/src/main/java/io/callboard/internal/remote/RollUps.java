package io.callboard.internal.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.CallboardAdmin;
import io.callboard.admin.MailSurvey;
import io.callboard.admin.RemoteAdmin;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.SharedReading;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;

/** Roll-ups of this node, built on a worker thread once a second at most. Thread-safe. */
final class RollUps {
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final NodeContext node;
  private final Supplier<CallboardAdmin> admin;
  private final SharedReading<ObjectNode> reading;

  RollUps(NodeContext node, Supplier<CallboardAdmin> admin) {
    this.node = node;
    this.admin = admin;
    this.reading = new SharedReading<>(node::nanoTime, this::begin, took -> FRESH);
  }

  /** Completes with a roll-up that nobody may change, on any thread. */
  Future<ObjectNode> read() {
    return reading.read();
  }

  private Future<ObjectNode> begin() {
    return admin
        .get()
        .mail()
        .compose(mail -> node.vertx().executeBlocking(() -> build(mail), false));
  }

  private ObjectNode build(MailSurvey mail) {
    CallboardAdmin here = admin.get();
    return RollUp.of(
        here.actorCounts(),
        here.down(RemoteAdmin.MOST),
        mail,
        here.failureZones(),
        here.zones(),
        here.reporting(RollUp.MOST_REPORTING + 1),
        here.failing(RemoteAdmin.MOST + 1),
        here.interrupted(RemoteAdmin.MOST),
        node.clock().instant());
  }
}
