package io.callboard.pollers.internal.target;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.pollers.internal.poll.Outcome;
import io.callboard.pollers.internal.protocol.TellCommand;
import io.callboard.pollers.model.SourceTarget;
import io.vertx.core.Future;
import java.time.Duration;

/** Target that sends messages to a durable actor, each once, by an actor of its own. */
final class TellTarget implements Target {
  private static final Duration ASK = Duration.ofSeconds(10);

  private final Callboard callboard;
  private final SourceTarget.TellActor to;

  TellTarget(Callboard callboard, SourceTarget.TellActor to) {
    this.callboard = callboard;
    this.to = to;
  }

  @Override
  public Future<Outcome> start(String key, String digest, JsonNode data) {
    ActorPath path = ActorPath.of(to.path().fillText("/tell", data));
    return callboard
        .durableRef(MessageActor.path(key), TellCommand.class)
        .ask(
            new TellCommand.TellOnce(
                path.toString(), to.type(), to.message().fill("/message", data), digest),
            TellCommand.Told.class,
            ASK)
        .map(
            told ->
                told.digest() == null || told.digest().equals(digest)
                    ? new Outcome.Succeeded(null, "TOLD")
                    : new Outcome.Hopeless(
                        "another message with the id \"%s\" was told at %s: give each message an id of its own"
                            .formatted(key, told.at())));
  }

  @Override
  public Future<TargetRoom> room() {
    return Future.succeededFuture(TargetRoom.ANY);
  }
}
