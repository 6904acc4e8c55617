package io.callboard;

import io.callboard.codecs.ProtocolCodec;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The behaviour of one started actor: the handlers that it has now, and its adapters. */
final class Behaviour<M> {
  private final Actor<M> actor;
  private final ActorContext context;
  private final Protocol<M> declared;
  private final @Nullable Adapters<M> adapters;
  private Protocol<M> now;

  /**
   * Begins with what {@link Actor#protocol} declares.
   *
   * @throws IllegalArgumentException if a type or its logical name is in two of the protocols
   */
  Behaviour(Actor<M> actor, ActorContext context) {
    this.actor = actor;
    this.context = context;
    Consumer<Supplier<?>> querying = question -> query(context, question);
    this.declared = new Protocol<>(actor.messageType(), querying, context::waits);
    actor.protocol(declared);
    this.adapters = Adapters.of(actor, declared);
    this.now = declared;
  }

  private static void query(ActorContext here, Supplier<?> question) {
    here.readOnly(true);
    Object answer;
    try {
      answer = question.get();
    } finally {
      here.readOnly(false);
    }
    here.reply(answer);
  }

  /** Returns the protocol that {@link Actor#protocol} declared, checked. */
  Protocol<M> declared() {
    return checked(declared);
  }

  /** Returns a later behaviour, checked as the first one. */
  Protocol<M> later(Consumer<Protocol<M>> define) {
    Consumer<Supplier<?>> querying = question -> query(context, question);
    Protocol<M> later = new Protocol<>(actor.messageType(), querying, context::waits);
    define.accept(later);
    var unused = checked(later);
    if (adapters != null) {
      adapters.add(later);
    } else if (!later.adapters().isEmpty()) {
      throw Adapters.undeclared(actor.getClass().getName(), later.adapters().keySet());
    }
    return later;
  }

  private Protocol<M> checked(Protocol<M> behaviour) {
    behaviour.check(ProtocolCodec.of(actor.messageType()).types(), actor.getClass().getName());
    return behaviour;
  }

  /** See {@link Actor#become}. */
  void become(Consumer<Protocol<M>> behaviour) {
    Objects.requireNonNull(behaviour, "behaviour is null: give one that declares its handlers");
    if (actor instanceof DurableActor) {
      throw new IllegalStateException(
          "a restart loses the behaviour of %s: override protocol(state, on)"
              .formatted(context.self().path()));
    }
    Protocol<M> next = later(behaviour);
    context.became();
    change(next);
  }

  /** Handles messages with these handlers from the next one on. */
  void change(Protocol<M> next) {
    now = next;
  }

  @Nullable Future<?> handle(M message) {
    return now.handle(message);
  }

  /**
   * Requires that the actor understands the protocol of that root.
   *
   * @throws IllegalStateException if it is not its own, and no adapter of it is declared
   */
  void requireKnown(Class<?> root) {
    if (root != actor.messageType() && (adapters == null || !adapters.understands(root))) {
      throw new IllegalStateException(
          "%s does not understand %s: declare it with on.adapt(%s.class, …) in protocol"
              .formatted(actor.getClass().getName(), root.getName(), root.getSimpleName()));
    }
  }

  /** Returns a message from the mailbox in the actor's own protocol. */
  @SuppressWarnings("unchecked")
  M adapted(Object message) {
    return adapters == null ? (M) message : adapters.translate(message);
  }

  /** Returns the codec of all messages that may be in the mailbox. */
  @SuppressWarnings("unchecked")
  ProtocolCodec<Object> codec() {
    return adapters == null
        ? (ProtocolCodec<Object>) ProtocolCodec.of(actor.messageType())
        : adapters.codec();
  }
}
