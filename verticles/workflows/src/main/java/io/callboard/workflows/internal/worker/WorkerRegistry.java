package io.callboard.workflows.internal.worker;

import io.callboard.ActorOptions;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.workflows.internal.dispatch.WorkMachine;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.StepReports;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.protocol.WorkersAnswer;
import io.callboard.workflows.internal.protocol.WorkersCommand;
import io.callboard.workflows.internal.protocol.WorkersState;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Worker registry, a role: holds what must be durable of work pulling, and has the {@link
 * DeskActor} as its child. No step of a workflow costs it a commit.
 */
public final class WorkerRegistry extends DurableStateActor<WorkersCommand, WorkersState> {
  /** Name of the role. */
  public static final String ROLE = "workflow-workers";

  /** Path of the role's actor. */
  public static final String PATH = "/roles/" + ROLE;

  static final String DESK = "desk";

  /** Highest weight of a definition. */
  static final int MOST_WEIGHT = 1_000;

  /** Most definitions with a weight of their own, and most drained nodes. */
  private static final int MOST = 1_000;

  private static final Logger log = LoggerFactory.getLogger(WorkerRegistry.class);

  /** Mail of a desk that is busy: {@link WorkMachine#MOST_QUEUED} is its own limit. */
  private static final int DESK_MAIL = 200_000;

  private final StepReports reports;
  private String life = "";

  /** Creates the registry. */
  public WorkerRegistry(StepReports reports) {
    this.reports = reports;
  }

  @Override
  protected WorkersState initial() {
    return WorkersState.NONE;
  }

  @Override
  protected void protocol(Protocol<WorkersCommand> on) {
    on.message(WorkersCommand.Open.class, this::open)
        .message(WorkersCommand.Enroll.class, this::enroll)
        .message(WorkersCommand.Forget.class, this::forget)
        .message(WorkersCommand.Drain.class, this::drain)
        .message(WorkersCommand.Weigh.class, this::weigh);
  }

  /** The desk asks this actor for its epoch, so its start is not waited for. */
  @Override
  protected Future<?> started() {
    String its = "%s/%x".formatted(callboard().bootId(), random().nextLong());
    life = its;
    spawnChild(
            DESK,
            () -> new DeskActor(reports, its),
            new ActorOptions().zone(ZoneDefaults.TOOLKIT).mailboxLimit(DESK_MAIL))
        .onFailure(cause -> log.warn("the desk of the workers has not started yet", cause));
    return Future.succeededFuture();
  }

  private void open(WorkersCommand.Open open) {
    if (open.master() != null && !open.master().equals(life)) { // its node does not know it yet
      reply(new WorkersAnswer.Denied("another worker registry has taken over", null));
      return;
    }
    update(state().opened());
    reply(new WorkersAnswer.Opened(state()));
  }

  private void enroll(WorkersCommand.Enroll enroll) {
    if (enroll.epoch() != state().epoch()) { // the present desk must know whom it awaits
      reply(new WorkersAnswer.Denied("another desk has taken over", state().epoch()));
      return;
    }
    WorkersState next = state();
    for (WorkerId worker : enroll.workers()) {
      next = next.enrolled(worker, enroll.number());
    }
    change(next);
    reply(new WorkersAnswer.Done());
  }

  private void forget(WorkersCommand.Forget forget) {
    if (forget.epoch() != state().epoch()) {
      return;
    }
    WorkersState next = state();
    for (String boot : forget.boots()) {
      next = next.without(boot, forget.number());
    }
    change(next);
  }

  private void drain(WorkersCommand.Drain drain) {
    if (drain.drained() && state().drained().size() >= MOST) {
      reply(new WorkersAnswer.Denied("%,d nodes are drained already".formatted(MOST), null));
      return;
    }
    change(state().drained(drain.node(), drain.drained()));
    configure();
    reply(new WorkersAnswer.Done());
  }

  private void weigh(WorkersCommand.Weigh weigh) {
    if (weigh.weight() < 0 || weigh.weight() > MOST_WEIGHT) {
      reply(
          new WorkersAnswer.Denied(
              "the weight %d is not possible: give 1 to %d, or 0 for that of the definition"
                  .formatted(weigh.weight(), MOST_WEIGHT),
              null));
    } else if (weigh.weight() > 0 && state().weights().size() >= MOST) {
      reply(new WorkersAnswer.Denied("%,d definitions have weights already".formatted(MOST), null));
    } else {
      change(state().weighed(weigh.definition(), weigh.weight()));
      configure();
      reply(new WorkersAnswer.Done());
    }
  }

  private void change(WorkersState next) {
    if (!next.equals(state())) {
      update(next);
    }
  }

  private void configure() {
    tell(
        callboard().ref(DeskActor.PATH, DeskCommand.class),
        new DeskCommand.Configure(List.copyOf(state().drained()), state().weights()));
  }
}
