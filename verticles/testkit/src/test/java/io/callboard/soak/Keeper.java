package io.callboard.soak;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** A durable actor of the tree: its state is what it handled. */
final class Keeper extends DurableStateActor<Cue, Keeper.Kept> {
  private final Part part;
  private final Findings findings;

  /** Messages that were handled; the last one, and all numbers together. */
  record Kept(long last, long count, long sum) {}

  Keeper(Part part, Findings findings) {
    this.part = part;
    this.findings = findings;
  }

  @Override
  protected Kept initial() {
    return new Kept(0, 0, 0);
  }

  @Override
  protected void protocol(Protocol<Cue> on) {
    on.async(Cue.Act.class, this::acts).message(Cue.Count.class, count -> reply(state()));
  }

  private Future<?> acts(Cue.Act act) {
    Kept kept = state();
    if (act.number() <= kept.last()) {
      findings.add("%s handles %d after %d".formatted(part.path, act.number(), kept.last()));
    }
    update(new Kept(act.number(), kept.count() + 1, kept.sum() + act.number()));
    Future<?> given = null;
    if (act.fault() != Fault.NONE && part.fires(act.number())) {
      given = Acts.handle(act.fault());
    }
    return given == null ? Future.succeededFuture() : given;
  }

  @Override
  protected Future<?> started() {
    return Acts.start(part.takeStart()).onSuccess(v -> part.started());
  }

  @Override
  protected @Nullable Future<?> stopped() {
    part.stopped();
    return null;
  }
}
