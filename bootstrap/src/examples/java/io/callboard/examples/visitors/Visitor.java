package io.callboard.examples.visitors;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A visitor, who remembers how often they came. */
public final class Visitor extends DurableStateActor<Visitor.Command, Visitor.Visits> {
  private static final Logger log = LoggerFactory.getLogger(Visitor.class);

  /** Commands to a visitor. */
  public sealed interface Command {
    /** Counts a visit. Answered with the {@link Visits}. */
    record Visit() implements Command {}

    /** Answered with the {@link Visits}. */
    record Look() implements Command {}
  }

  /** The state, and the answer. */
  public record Visits(long count) {}

  @Override
  protected Visits initial() {
    return new Visits(0);
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.message(Command.Visit.class, visit -> visit())
        .message(Command.Look.class, look -> reply(state()));
  }

  private void visit() {
    Visits next = new Visits(state().count() + 1);
    update(next);
    reply(next);
    afterCommit(() -> log.info("{} handled here: visit {}", path(), next.count()));
  }
}
