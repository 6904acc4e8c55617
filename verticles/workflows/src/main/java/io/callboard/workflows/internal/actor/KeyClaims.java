package io.callboard.workflows.internal.actor;

import io.callboard.Callboard;
import io.callboard.workflows.internal.actor.InstanceKey.KeyClaim;
import io.callboard.workflows.internal.actor.InstanceKey.KeyHolder;
import io.callboard.workflows.internal.protocol.InstanceAnswer.Refused;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Claims of the unique keys of instances. A holder that has ended, or is not there, is replaced.
 * Thread-safe.
 */
public final class KeyClaims {
  private static final Duration AGAIN = Duration.ofMillis(100);

  private final Callboard callboard;
  private final Function<String, Future<Optional<Instance>>> instances;
  private final Duration limit;

  /**
   * Creates the claims of a node.
   *
   * @param instances completes with an instance of that id; empty if there is none
   * @param limit maximum time of an ask, and of repetitions
   */
  public KeyClaims(
      Callboard callboard, Function<String, Future<Optional<Instance>>> instances, Duration limit) {
    this.callboard = callboard;
    this.instances = instances;
    this.limit = limit;
  }

  /**
   * Claims a key for a new instance, which is started with the claim. Completes with the instance
   * that holds it and has not ended; empty if the new one has it.
   */
  public Future<Optional<Instance>> claim(String key, InstanceCommand.Start start) {
    long endNs = callboard.time().nanoTime() + limit.toNanos();
    return claim(key, KeyClaim.first(start), endNs);
  }

  /**
   * Claims the key of an instance again, which has ended and is to go on. Completes with why it
   * must not; empty if it has its key, or none.
   */
  Future<Optional<Refused>> again(InstanceData data) {
    String key = data.created().uniqueKey();
    if (key == null) {
      return Future.succeededFuture(Optional.empty());
    }
    long endNs = callboard.time().nanoTime() + limit.toNanos();
    return claim(key, KeyClaim.again(data.created().id(), data.round() + 1), endNs)
        .map(holder -> holder.map(its -> heldBy(key, its)))
        .otherwise(cause -> Optional.of(unknown(key, cause)));
  }

  private static Refused heldBy(String key, Instance holder) {
    return Refused.of(
        Code.ILLEGAL_STATE,
        "it cannot run again: its uniqueKey \"%s\" is held by the instance %s, which has not ended"
            .formatted(key, holder.id()));
  }

  private static Refused unknown(String key, Throwable cause) {
    return Refused.of(
        Code.UNAVAILABLE,
        "its uniqueKey \"%s\" could not be claimed again: %s".formatted(key, cause.getMessage()));
  }

  private Future<Optional<Instance>> claim(String key, KeyClaim claim, long endNs) {
    return InstanceKey.ref(callboard, key)
        .ask(claim, KeyHolder.class, limit)
        .compose(
            holder ->
                String.valueOf(claim.instance()).equals(holder.instance())
                    ? Future.succeededFuture(Optional.empty())
                    : held(key, claim, holder, endNs));
  }

  /**
   * Completes with the instance that holds the key; claims it again if that has ended, or is not
   * there.
   */
  private Future<Optional<Instance>> held(
      String key, KeyClaim claim, KeyHolder holder, long endNs) {
    String id = String.valueOf(holder.instance());
    return instances
        .apply(id)
        .compose(
            found -> {
              if (found.isPresent() && !found.get().state().isEnded()) {
                return Future.succeededFuture(found);
              } else if (callboard.time().nanoTime() - endNs >= 0) {
                return Future.failedFuture(
                    new WorkflowException(
                        Code.UNAVAILABLE,
                        "the instance %s holds the unique key and does not answer yet: try again"
                            .formatted(id)));
              } else if (found.isPresent() || !holder.willExist()) {
                return claim(key, claim.insteadOf(holder), endNs);
              }
              return callboard
                  .time()
                  .pause(callboard.vertx().getOrCreateContext(), AGAIN)
                  .compose(v -> claim(key, claim, endNs)); // it begins, or has gone just now
            });
  }
}
