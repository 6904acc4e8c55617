package io.callboard.workflows;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.admin.UserZones;
import io.callboard.grid.Grid;
import io.callboard.grid.GridEvent;
import io.callboard.workflows.internal.actor.IntakeActor;
import io.callboard.workflows.internal.actor.StartClient;
import io.callboard.workflows.internal.actor.StartLedger;
import io.callboard.workflows.internal.index.CellInstances;
import io.callboard.workflows.internal.intake.StartGate;
import io.callboard.workflows.internal.starts.LedgerAnswer;
import io.callboard.workflows.internal.starts.LedgerCommand;
import io.callboard.workflows.model.BrakeChange;
import io.callboard.workflows.model.BrakeOverride;
import io.callboard.workflows.model.BrakeView;
import io.callboard.workflows.model.DefinitionStats;
import io.callboard.workflows.model.MessageReceipt;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.callboard.workflows.model.WorkflowsOptions;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Control of the starts of instances in the cell: brakes of definitions, their shares and counters,
 * and messages that become instances. One object a node. Thread-safe.
 */
public final class StartControl {
  /** Looks at the desk after a change, a tenth of a second apart. */
  private static final int MOST_LOOKS = 20;

  private final Callboard callboard;
  private final WorkflowsOptions options;
  private final DefinitionClient definitions;
  private final CellInstances index;
  private final StartClient starts;
  private final NodeBuilders builders;
  private final IntakeClient intake;
  private final ReceiptSweep sweep;

  StartControl(
      Callboard callboard,
      WorkflowsOptions options,
      DefinitionClient definitions,
      CellInstances index) {
    this.callboard = callboard;
    this.options = options;
    this.definitions = definitions;
    this.index = index;
    this.starts = new StartClient(callboard);
    this.builders = new NodeBuilders(callboard, definitions);
    this.intake = new IntakeClient(callboard, definitions);
    this.sweep = new ReceiptSweep(callboard, index.here()::owned);
  }

  /** Returns the gate of this node. */
  StartGate gate() {
    return starts.gate();
  }

  /** Fails if this node has no zone of the name that the options give for builders. */
  Future<Void> check() {
    try {
      String unused =
          UserZones.require(callboard.admin(), options.builderZone(), "builders of workflows");
      return Future.succeededFuture();
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
  }

  /** Begins to report, and offers the role and the actors of messages. */
  Future<Void> open(Grid grid, ActorOptions own) {
    starts.start();
    sweep.start();
    return callboard
        .host(
            IntakeActor.PREFIX,
            () -> new IntakeActor(builders, starts.gate(), options.builderZone()),
            own)
        .compose(
            v ->
                grid.role(
                    StartLedger.ROLE,
                    () ->
                        new StartLedger(
                            options.mostRunning(),
                            (definition, change) -> note(grid, definition, change)),
                    new ActorOptions().zone(ZoneDefaults.TOOLKIT).onBus(false)))
        .mapEmpty();
  }

  private static void note(Grid grid, String definition, BrakeChange change) {
    grid.note(
        change.credit() == null ? GridEvent.BRAKE_OFF : GridEvent.BRAKE_ON,
        definition,
        change.cause());
  }

  /**
   * Ends the reports. The checks of what builders return end with the node: messages that are being
   * started meanwhile are not to count as failures of their builders.
   */
  void close() {
    starts.close();
    sweep.close();
  }

  /** Returns the brakes that are or were on, or are overridden, by definition. */
  public Future<List<BrakeView>> brakes() {
    return starts.brakes().recover(WorkflowFailures::translate);
  }

  /** Returns the brake of a definition. Fails with {@code NOT_FOUND} if there is none. */
  public Future<BrakeView> brake(String definition) {
    return definitions
        .get(definition, null)
        .compose(known -> starts.brake(definition).recover(WorkflowFailures::translate));
  }

  /**
   * Overrides the measured credit of a brake, durably. Fails with {@code INVALID} if it is over its
   * limit.
   *
   * @param credit how many instances that begin from now on may run at once, 0 for none; null: the
   *     brake is off, whatever fails
   * @param by who sets it, for people
   * @param reason why, for people
   */
  public Future<BrakeView> override(
      String definition, @Nullable Integer credit, String by, String reason) {
    BrakeOverride override;
    try {
      override = new BrakeOverride(credit, by, reason, callboard.time().clock().instant());
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(
          new WorkflowException(Code.INVALID, String.valueOf(e.getMessage())));
    }
    return set(definition, override);
  }

  /**
   * Removes the override of a brake, durably; its measurements begin anew. Has no effect if nothing
   * was set.
   */
  public Future<BrakeView> release(String definition) {
    return set(definition, null);
  }

  private Future<BrakeView> set(String definition, @Nullable BrakeOverride override) {
    return definitions
        .get(definition, null)
        .compose(known -> ledger(new LedgerCommand.Override(definition, override)))
        .compose(done -> taken(definition, override, MOST_LOOKS));
  }

  /** Completes when the start desk and the gate of this node know what was set. */
  private Future<BrakeView> taken(String definition, @Nullable BrakeOverride set, int looks) {
    return brake(definition)
        .compose(
            brake ->
                Objects.equals(brake.override(), set) || looks == 0
                    ? starts.refresh().transform(told -> Future.succeededFuture(brake))
                    : starts.later().compose(v -> taken(definition, set, looks - 1)));
  }

  /**
   * Sets the weight of a definition among those that wait to begin, durably, instead of its own.
   *
   * @param weight 1 to 1,000; 0 for that of the definition itself
   */
  public Future<Void> weigh(String definition, int weight) {
    return ledger(new LedgerCommand.Weigh(definition, weight));
  }

  private Future<Void> ledger(LedgerCommand command) {
    return callboard
        .durableRef(StartLedger.PATH, LedgerCommand.class)
        .ask(command, LedgerAnswer.class, Workflows.ASK)
        .recover(WorkflowFailures::translate)
        .compose(
            answer ->
                answer instanceof LedgerAnswer.Denied denied
                    ? WorkflowFailures.fail(Code.INVALID, denied.why())
                    : Future.succeededFuture());
  }

  /** Returns the counts of a definition by the nodes since they started. */
  public Future<DefinitionStats> stats(String definition) {
    return definitions.get(definition, null).compose(known -> index.peers().stats(definition));
  }

  /**
   * Registers a builder on this node, in the scheduling zone of builders. The same on all nodes.
   *
   * @throws IllegalArgumentException if this node has one of that name
   */
  public void builder(String name, WorkflowBuilder builder) {
    builders.register(name, null, builder);
  }

  /**
   * Registers a builder on this node, in a scheduling zone of its own or of several builders; a
   * builder that blocks keeps only those of its zone waiting. The same on all nodes.
   *
   * @param zone name of the zone, which the configuration of the node has
   * @throws IllegalArgumentException if this node has a builder of that name, or no such zone, or
   *     that is the toolkit's own, or runs on event loops, which builders may not block; the
   *     message has those that it has
   */
  public void builder(String name, String zone, WorkflowBuilder builder) {
    builders.register(
        name,
        UserZones.require(callboard.admin(), zone, "builder %.100s".formatted(name)),
        builder);
  }

  /** Returns whether this node has a builder of that name. */
  public boolean hasBuilder(String name) {
    return builders.has(name);
  }

  /**
   * Accepts a message, durably; returns its receipt, also if it was accepted before. Fails with
   * {@code NOT_FOUND} if there is no such definition, {@code INVALID} for a message that is over a
   * limit or does not match the definition's schema, {@code OVERLOADED} while as many messages are
   * under way as may be. So what is accepted for a definition starts; it does with the version that
   * was current then.
   */
  public Future<MessageReceipt> accept(Intake message) {
    return intake.accept(message);
  }

  /** Returns the receipt of a message; fails with {@code NOT_FOUND} if none is kept. */
  public Future<MessageReceipt> receipt(String id) {
    return intake.receipt(id);
  }
}
