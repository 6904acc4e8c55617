package io.callboard.jobs.internal.archiving;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.vertx.core.Future;

/**
 * Role that archives and removes ended jobs, one a cell: its node's {@link Archiver} works while
 * this actor runs. It holds no state of its own; what is to be done follows from the jobs.
 */
public final class Archivist extends DurableStateActor<ArchivistCommand, Archivist.NoState> {
  /** Path of the archivist. */
  public static final String PATH = "/jobs/archivist";

  private final Archiver archiver;

  /** State of the actor, which has none. */
  public record NoState() {}

  /** Creates the actor with the archiver of its node. */
  public Archivist(Archiver archiver) {
    this.archiver = archiver;
  }

  @Override
  protected NoState initial() {
    return new NoState();
  }

  @Override
  protected void protocol(Protocol<ArchivistCommand> on) {
    on.message(ArchivistCommand.Look.class, look -> reply(archiver.status()));
  }

  @Override
  protected Future<?> started() {
    archiver.start();
    return Future.succeededFuture();
  }

  @Override
  protected Future<?> stopped() {
    archiver.stop();
    return Future.succeededFuture();
  }
}
