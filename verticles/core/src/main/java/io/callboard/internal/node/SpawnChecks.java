package io.callboard.internal.node;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DeliveryMode;
import io.callboard.DurableActor;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.internal.ownership.PlacementChecks;
import io.callboard.store.WhenFull;
import io.callboard.supervision.Causes;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks of actors before anything of them is started. Each throws if the actor could not work as
 * declared, and says what would be right.
 */
final class SpawnChecks {
  private SpawnChecks() {}

  /**
   * Makes the actor's first object.
   *
   * @throws CallboardException {@code START_FAILED}; then there is no actor
   */
  static <M> Actor<M> made(ActorPath path, Supplier<? extends Actor<M>> factory) {
    Actor<M> actor;
    try {
      actor = factory.get();
    } catch (RuntimeException | Error e) {
      throw new CallboardException(
          Code.START_FAILED,
          "%s could not be started: its factory failed: %s".formatted(path, Causes.text(e)),
          Causes.readable(e));
    }
    if (actor == null) {
      throw new CallboardException(
          Code.START_FAILED, "%s could not be started: the factory made no actor".formatted(path));
    }
    return actor;
  }

  /** Checks that the mailbox of such an actor can be as the options say. */
  static void checkDelivery(ActorOptions options, String actor, boolean durable) {
    if (durable && options.whenFull() == WhenFull.DROP_OLDEST) {
      throw new IllegalArgumentException(
          "%s is durable, and a stored mailbox never drops its oldest: its whenFull is wait, reject, drop or park"
              .formatted(actor));
    }
    options
        .delivery()
        .filter(mode -> durable == (mode == DeliveryMode.VOLATILE))
        .ifPresent(
            mode -> {
              throw new IllegalArgumentException(
                  "%s %s, not %s"
                      .formatted(
                          actor,
                          durable
                              ? "is durable: its delivery is at-most-once, at-least-once or"
                                  + " exactly-once"
                              : "is not a DurableStateActor or PersistentActor: its delivery is"
                                  + " volatile",
                          mode.key()));
            });
  }

  /** Returns the failure for the first argument that is null; empty if none is. */
  static Optional<NullPointerException> missing(
      @Nullable String path, @Nullable Supplier<?> factory, @Nullable ActorOptions options) {
    String why =
        path == null
            ? "path is null: give one, such as /orders/7"
            : factory == null
                ? "factory is null: give one that makes a new actor each time, such as Account::new"
                : options == null
                    ? "options is null: give new ActorOptions() for the defaults"
                    : null;
    return Optional.ofNullable(why).map(NullPointerException::new);
  }

  /** Checks that such actors may be below the prefix, are durable, and handle their protocol. */
  static void checkHosted(ActorPath prefix, Actor<?> actor, ActorOptions options) {
    checkTypes(actor);
    if (!(actor instanceof DurableActor)) {
      throw new IllegalArgumentException(
          "%s is not a DurableStateActor or PersistentActor, and only those can be hosted below %s: spawn it"
              .formatted(actor.getClass().getName(), prefix));
    }
    Protocol.missing(actor)
        .ifPresent(
            what -> {
              throw new IllegalArgumentException(what + ": declare a handler for each, or others");
            });
    PlacementChecks.check(prefix.child("any"), actor, options);
  }

  /**
   * Checks that all types that its mailbox, journal and record may hold can be read, older versions
   * too.
   */
  static void checkTypes(Actor<?> actor) {
    ProtocolCodec.check(actor.messageType());
    if (actor instanceof DurableActor<?, ?> durable) {
      ProtocolCodec.checkStored("state", durable.stateType());
    }
    if (actor instanceof PersistentActor<?, ?, ?> persistent) {
      ProtocolCodec.checkStored("event", persistent.eventType());
    }
  }
}
