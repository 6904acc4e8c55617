package io.callboard.routing;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.callboard.proxy.ProxyActor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An actor that forwards every message of its protocol to its routees; subclasses provide them. */
abstract class Router<M> extends ProxyActor<M> {
  private final Class<M> protocol;
  private final Routing<M> routing;
  private final @Nullable Picker<M> picker;
  private List<Routee<M>> routees = List.of();

  Router(Class<M> protocol, Routing<M> routing) {
    this.protocol = protocol;
    this.routing = routing;
    this.picker = routing instanceof Routing.One<M> one ? one.picker().get() : null;
  }

  /** Sets the routees. Called on the actor's context. */
  final void routees(List<Routee<M>> next) {
    routees = List.copyOf(next);
  }

  final List<Routee<M>> routees() {
    return routees;
  }

  @Override
  public final Class<M> messageType() {
    return protocol;
  }

  @Override
  protected final void protocol(Protocol<M> on) {
    on.others(this::route);
  }

  private void route(M message) {
    if (routees.isEmpty()) {
      refuse(
          message,
          new CallboardException(Code.NO_SUCH_ACTOR, "router " + path() + " has no routees now"));
    } else if (routing instanceof Routing.One<M> one) {
      pick(message, one.counts());
    } else if (routing instanceof Routing.FirstAnswer<M> first) {
      replyWhen(firstOf(message, first));
    } else {
      forwardAll(routees.stream().map(Routee::ref).toList(), message);
    }
  }

  private void pick(M message, boolean counts) {
    Routee<M> routee;
    try {
      routee = routees.get(picker == null ? 0 : picker.pick(message, routees));
    } catch (RuntimeException e) {
      String why = "router %s cannot choose a routee: %s".formatted(path(), e);
      refuse(message, new CallboardException(Code.HANDLER_FAILED, why, e));
      return;
    }
    if (counts) {
      routee.takes();
      forward(routee.ref(), message, routee::isDone);
    } else {
      forward(routee.ref(), message);
    }
  }

  private Future<Object> firstOf(M message, Routing.FirstAnswer<M> first) {
    Promise<Object> outcome = Promise.promise();
    List<Throwable> failures = new ArrayList<>();
    int asked = routees.size();
    for (Routee<M> routee : routees) {
      ActorRef<M> ref = routee.ref();
      ref.ask(message, first.answer(), first.within())
          .onSuccess(outcome::tryComplete)
          .onFailure(
              cause -> {
                failures.add(cause);
                if (failures.size() == asked) {
                  outcome.tryFail(none(failures));
                }
              });
    }
    return outcome.future();
  }

  private CallboardException none(List<Throwable> failures) {
    Throwable first = failures.get(0);
    return new CallboardException(
        first instanceof CallboardException ours ? ours.code() : Code.HANDLER_FAILED,
        "none of the %d routees of %s has answered: %s"
            .formatted(failures.size(), path(), first.getMessage()),
        first);
  }
}
