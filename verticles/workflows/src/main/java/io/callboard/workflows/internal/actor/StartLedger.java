package io.callboard.workflows.internal.actor;

import io.callboard.ActorOptions;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.workflows.internal.dispatch.FairShare;
import io.callboard.workflows.internal.intake.BrakeMachine;
import io.callboard.workflows.internal.starts.BrakeState;
import io.callboard.workflows.internal.starts.LedgerAnswer;
import io.callboard.workflows.internal.starts.LedgerCommand;
import io.callboard.workflows.internal.starts.LedgerEvent;
import io.callboard.workflows.internal.starts.LedgerState;
import io.callboard.workflows.internal.starts.StartCommand;
import io.callboard.workflows.model.BrakeChange;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Start ledger, a role: holds what must be durable of the start of instances, brakes and weights,
 * and has the {@link StartDeskActor} as its child. No instance costs it a commit.
 */
public final class StartLedger extends PersistentActor<LedgerCommand, LedgerEvent, LedgerState> {
  /** Name of the role, as all versions know it. */
  public static final String ROLE = "workflow-master";

  /** Path of the role's actor. */
  public static final String PATH = "/roles/" + ROLE;

  static final String DESK = "starts";

  /** Most definitions with a weight or an override. */
  private static final int MOST = 1_000;

  private static final Logger log = LoggerFactory.getLogger(StartLedger.class);

  private final int mostRunning;
  private final BiConsumer<String, BrakeChange> noted;
  private String life = "";

  /**
   * Creates the ledger.
   *
   * @param mostRunning limit of running instances in the cell
   * @param noted called when a brake is on, or off again, with the name of its definition
   */
  public StartLedger(int mostRunning, BiConsumer<String, BrakeChange> noted) {
    this.mostRunning = mostRunning;
    this.noted = noted;
  }

  @Override
  protected LedgerState initial() {
    return LedgerState.NONE;
  }

  @Override
  protected LedgerState apply(LedgerState state, LedgerEvent event) {
    return state.after(event);
  }

  /**
   * Restores an earlier state, but no earlier epoch: nodes know the epochs of the desks since that
   * event, and the next one must be above them.
   */
  @Override
  protected LedgerState restored(LedgerState state, long event, long last) {
    return state.after(new LedgerEvent.DeskOpened(Math.max(state.epoch(), last)));
  }

  @Override
  protected void protocol(Protocol<LedgerCommand> on) {
    on.message(LedgerCommand.Open.class, this::open)
        .message(LedgerCommand.Keep.class, this::keep)
        .message(LedgerCommand.Override.class, this::override)
        .message(LedgerCommand.Weigh.class, this::weigh);
  }

  /** Starts the desk, which asks this actor for its epoch; so its start is not waited for. */
  @Override
  protected Future<?> started() {
    String its = "%s/%x".formatted(callboard().bootId(), random().nextLong());
    life = its;
    spawnChild(
            DESK,
            () -> new StartDeskActor(mostRunning, its),
            new ActorOptions().zone(ZoneDefaults.TOOLKIT))
        .onFailure(cause -> log.warn("the start desk has not started yet", cause));
    return Future.succeededFuture();
  }

  private void open(LedgerCommand.Open open) {
    if (open.master() != null && !open.master().equals(life)) { // its node does not know it yet
      reply(new LedgerAnswer.Denied("another start ledger has taken over"));
      return;
    }
    persist(new LedgerEvent.DeskOpened(state().epoch() + 1));
    reply(new LedgerAnswer.Opened(state()));
  }

  private void keep(LedgerCommand.Keep keep) {
    for (BrakeState brake : keep.brakes()) {
      BrakeState known = state().brakes().get(brake.definition());
      boolean sameOverride =
          known == null
              ? brake.override() == null
              : Objects.equals(known.override(), brake.override());
      if (keep.epoch() == state().epoch() && sameOverride && !brake.equals(known)) {
        change(brake);
      }
    }
  }

  private void change(BrakeState brake) {
    BrakeState before = state().brakes().get(brake.definition());
    boolean turned = brake.braked() != (before != null && before.braked());
    persist(new LedgerEvent.BrakeChanged(brake));
    BrakeChange change = brake.changes().get(0);
    Runnable tell =
        () -> {
          log.warn(
              "the brake of workflow {} is {}, credit {}: {}",
              brake.definition(),
              change.level(),
              change.credit() == null ? "unlimited" : change.credit(),
              change.cause());
          if (turned) {
            noted.accept(brake.definition(), change);
          }
        };
    afterCommit(tell);
  }

  private void override(LedgerCommand.Override override) {
    Instant now = time().clock().instant();
    BrakeState known = state().brake(override.definition(), now);
    if (Objects.equals(known.override(), override.override())) {
      reply(new LedgerAnswer.Done());
      return;
    }
    long many = state().brakes().values().stream().filter(each -> each.override() != null).count();
    if (override.override() != null && known.override() == null && many >= MOST) {
      reply(new LedgerAnswer.Denied("%,d brakes are overridden already".formatted(many)));
      return;
    }
    change(known.overridden(override.override(), cause(override), now));
    tell(
        callboard().ref(StartDeskActor.PATH, StartCommand.class),
        new StartCommand.Overridden(override.definition(), override.override()));
    reply(new LedgerAnswer.Done());
  }

  private static String cause(LedgerCommand.Override override) {
    return BrakeMachine.cause(override.override());
  }

  private void weigh(LedgerCommand.Weigh weigh) {
    if (weigh.weight() < 0 || weigh.weight() > FairShare.MOST_WEIGHT) {
      reply(
          new LedgerAnswer.Denied(
              "the weight is 0 to %,d, not %,d".formatted(FairShare.MOST_WEIGHT, weigh.weight())));
    } else if (weigh.weight() > 0 && state().weights().size() >= MOST) {
      reply(new LedgerAnswer.Denied("%,d definitions have weights already".formatted(MOST)));
    } else {
      persist(new LedgerEvent.Weighed(weigh.definition(), weigh.weight()));
      tell(
          callboard().ref(StartDeskActor.PATH, StartCommand.class),
          new StartCommand.Weights(state().weights()));
      reply(new LedgerAnswer.Done());
    }
  }
}
