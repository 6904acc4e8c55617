package io.callboard.internal.messaging;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.TellOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.TraceContext;
import io.callboard.internal.inmemory.VolatileRunner;
import io.callboard.internal.node.NodeAssembly;
import io.vertx.core.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The one kind of ref: a path, whether its mail is durable, and the node it speaks through. */
public final class NodeRef<M> implements ActorRef<M> {
  private final NodeAssembly runtime;
  private final ActorPath path;
  private final boolean durable;
  private final Class<M> protocol;

  /** Where the actor was when it was last told something; a race costs a look only. */
  private @Nullable VolatileRunner lastHere;

  public NodeRef(NodeAssembly runtime, ActorPath path, boolean durable, Class<M> protocol) {
    this.runtime = runtime;
    this.path = path;
    this.durable = durable;
    this.protocol = protocol;
  }

  /** The same through that node; one that came with a message has none. */
  public static NodeRef<?> of(NodeAssembly runtime, ActorRef<?> any) {
    return any instanceof NodeRef<?> ref
        ? ref
        : new NodeRef<>(runtime, any.path(), any.durable(), Object.class);
  }

  /** Whether {@code any} speaks through another node than that: it is an actor of its cell. */
  public static boolean isForeign(NodeAssembly runtime, ActorRef<?> any) {
    return any instanceof NodeRef<?> ref && ref.runtime != runtime;
  }

  /** What would take it for the actor of that path in this node's cell. */
  public static CallboardException foreign(ActorRef<?> any, String what) {
    return new CallboardException(
        CallboardException.Code.BAD_MESSAGE,
        "%s is an actor of another Callboard: %s".formatted(any.path(), what));
  }

  public NodeAssembly runtime() {
    return runtime;
  }

  @Override
  public ActorPath path() {
    return path;
  }

  @Override
  public boolean durable() {
    return durable;
  }

  public Class<M> protocol() {
    return protocol;
  }

  /** The runner of the volatile actor on this node; null if it is not here. */
  public @Nullable VolatileRunner here() {
    VolatileRunner last = lastHere;
    if (last == null || last.isStopped()) {
      last = runtime.actors().find(path);
      lastHere = last;
    }
    return last;
  }

  @Override
  public Future<Void> tell(M message) {
    return runtime.courier().tell(this, message, TellOptions.NONE);
  }

  @Override
  public Future<Void> tell(M message, TellOptions options) {
    return runtime.courier().tell(this, message, options);
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer, Duration timeout) {
    return runtime.courier().ask(this, message, answer, timeout, null);
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer, Duration timeout, TraceContext trace) {
    return runtime.courier().ask(this, message, answer, timeout, trace);
  }

  @Override
  public <R> Future<R> ask(M message, Class<R> answer) {
    return ask(message, answer, runtime.askTimeout());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ActorRef<?> ref && ref.path().equals(path);
  }

  @Override
  public int hashCode() {
    return path.hashCode();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
