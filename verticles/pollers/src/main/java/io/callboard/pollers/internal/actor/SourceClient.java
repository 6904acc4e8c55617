package io.callboard.pollers.internal.actor;

import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.pollers.internal.protocol.EmitCommand;
import io.callboard.pollers.internal.protocol.PollerCommand;
import io.callboard.pollers.internal.protocol.SourceCommand;
import io.callboard.pollers.internal.protocol.SourceState;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.model.PollersException.Code;
import io.callboard.pollers.model.SourceMode;
import io.callboard.pollers.model.SourceView;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.SourceMemory;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Base64;

/** Client of the actors of sources, on whichever node they are. Thread-safe. */
public final class SourceClient {
  private static final Duration LOOK = Duration.ofSeconds(3);
  private static final Duration CHANGE = Duration.ofSeconds(10);
  private static final Duration EMIT = Duration.ofSeconds(15);

  private final Callboard callboard;

  /** Creates the client of a node. */
  public SourceClient(Callboard callboard) {
    this.callboard = callboard;
  }

  /** Returns the view of a source; fails with {@code UNAVAILABLE} if no poller answers. */
  public Future<SourceView> view(String source) {
    return callboard
        .ref(SourcePaths.poller(source), PollerCommand.class)
        .ask(new PollerCommand.Look(), SourceView.class, LOOK)
        .recover(cause -> unavailable("no node answers for source " + source, cause));
  }

  /** Changes the mode of a source, durably. */
  public Future<SourceState> change(String source, SourceMode mode, String by) {
    return callboard
        .durableRef(SourcePaths.actor(source), SourceCommand.class)
        .ask(
            new SourceCommand.Change(mode, by, callboard.time().clock().instant()),
            SourceState.class,
            CHANGE)
        .recover(cause -> unavailable("source %s did not answer".formatted(source), cause));
  }

  /**
   * Sends a message through a source; durable there when the future succeeds, and perhaps doubled
   * when it fails. Fails with {@code INVALID} if no repetition could succeed.
   */
  public Future<Void> send(String source, String target, EmittedMessage message) {
    String body = Base64.getEncoder().encodeToString(message.body().getBytes());
    return callboard
        .ref(SourcePaths.emit(source), EmitCommand.class)
        .ask(
            new EmitCommand(target, message.id(), body, message.headers()),
            EmitCommand.Sent.class,
            EMIT)
        .recover(cause -> unavailable("the message was not sent through source " + source, cause))
        .compose(
            sent ->
                sent.refusal() == null
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        new PollersException(
                            Code.INVALID,
                            "source %s refuses it: %s".formatted(source, sent.refusal()))));
  }

  /** Returns the durable memory of a source. */
  public SourceMemory memory(String source) {
    return new ActorMemory(callboard, source);
  }

  private static <T> Future<T> unavailable(String what, Throwable cause) {
    boolean invalid = CallboardException.refusesMessage(cause);
    return Future.failedFuture(
        new PollersException(
            invalid ? Code.INVALID : Code.UNAVAILABLE,
            "%s: %s".formatted(what, cause.getMessage())));
  }
}
