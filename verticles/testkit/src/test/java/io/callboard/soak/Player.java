package io.callboard.soak;

import io.callboard.Actor;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A volatile actor of the tree; a parent starts its kids. */
final class Player extends Actor<Cue> {
  private final Part part;
  private final List<Part> kids;
  private final Findings findings;

  Player(Part part, List<Part> kids, Findings findings) {
    this.part = part;
    this.kids = kids;
    this.findings = findings;
  }

  @Override
  protected void protocol(Protocol<Cue> on) {
    on.async(Cue.Act.class, this::acts).message(Cue.Count.class, count -> reply(1));
  }

  private Future<?> acts(Cue.Act act) {
    part.handles(act.number());
    if (act.fault() == Fault.STOP_SELF) {
      stopSelf();
    }
    Future<?> given = Acts.handle(act.fault());
    return given == null ? Future.succeededFuture() : given;
  }

  @Override
  protected Future<?> started() {
    Part.NextStart how = part.takeStart();
    if (how != Part.NextStart.SUCCEEDS && how != Part.NextStart.BLOCKS) {
      return Acts.start(how);
    }
    Future<?> done = Acts.start(how);
    part.started();
    kids.forEach(this::begin);
    return done;
  }

  /** Starts a child; if its start fails, its supervisor tries again. */
  private void begin(Part kid) {
    String name = kid.path.toString().substring(part.path.toString().length() + 1);
    spawnChild(name, () -> new Player(kid, List.of(), findings), Tree.options(kid))
        .onFailure(
            cause -> {
              if (cause instanceof CallboardException ours && ours.code() == Code.PATH_TAKEN) {
                findings.add(kid.path + " has its path taken: " + cause.getMessage());
              }
            });
  }

  @Override
  protected @Nullable Future<?> stopped() {
    part.stopped();
    return null;
  }
}
