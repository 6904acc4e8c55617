package io.callboard.workflows.internal.actor;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.callboard.workflows.internal.intake.StartDesk;
import io.callboard.workflows.internal.starts.BrakeState;
import io.callboard.workflows.internal.starts.LedgerAnswer;
import io.callboard.workflows.internal.starts.LedgerCommand;
import io.callboard.workflows.internal.starts.LedgerState;
import io.callboard.workflows.internal.starts.StartCommand;
import io.callboard.workflows.internal.starts.StartReply;
import io.callboard.workflows.model.BrakeView;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start desk: carries out what its {@link StartDesk} decides. Volatile child of the {@link
 * StartLedger}, which gives each life of it an epoch of its own and keeps its brakes.
 */
public final class StartDeskActor extends Actor<StartCommand> {
  /** Path of the desk, on whichever node it is. */
  public static final String PATH = StartLedger.PATH + "/" + StartLedger.DESK;

  private static final Logger log = LoggerFactory.getLogger(StartDeskActor.class);
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration ASK = Duration.ofSeconds(10);

  private final int mostRunning;
  private final String ledger;
  private @Nullable StartDesk opened;

  /**
   * Creates a desk.
   *
   * @param ledger life of the ledger whose child it is
   */
  StartDeskActor(int mostRunning, String ledger) {
    this.mostRunning = mostRunning;
    this.ledger = ledger;
  }

  @Override
  protected void protocol(Protocol<StartCommand> on) {
    on.message(StartCommand.Report.class, this::report)
        .message(StartCommand.Brakes.class, all -> reply(new StartReply.Brakes(desk().brakes())))
        .message(
            StartCommand.Brake.class,
            one -> reply(new StartReply.Brakes(List.of(desk().brake(now(), one.definition())))))
        .message(StartCommand.Overridden.class, this::overridden)
        .message(StartCommand.Weights.class, weights -> desk().weigh(weights.weights()))
        .message(StartCommand.Tick.class, tick -> tick());
  }

  @Override
  protected Future<?> started() {
    return ledger()
        .ask(new LedgerCommand.Open(ledger), LedgerAnswer.class, ASK)
        .map(
            answer -> {
              if (!(answer instanceof LedgerAnswer.Opened begins)) {
                throw new IllegalStateException("the start ledger opened no desk: " + answer);
              }
              LedgerState state = begins.state();
              opened =
                  new StartDesk(
                      state.epoch(), state.brakes().values(), state.weights(), mostRunning, now());
              startPeriodicTimer("tick", TICK, new StartCommand.Tick());
              return null;
            });
  }

  private ActorRef<LedgerCommand> ledger() {
    return callboard().durableRef(StartLedger.PATH, LedgerCommand.class);
  }

  private StartDesk desk() {
    return Objects.requireNonNull(opened, "the desk has not been opened");
  }

  private Instant now() {
    return time().clock().instant();
  }

  private void report(StartCommand.Report report) {
    reply(new StartReply.Answered(desk().report(report.report(), now())));
    keep();
  }

  /** The ledger has made it durable already. */
  private void overridden(StartCommand.Overridden news) {
    BrakeView unused = desk().override(news.definition(), news.override(), now());
  }

  private void tick() {
    desk().tick(now());
    keep();
  }

  private void keep() {
    List<BrakeState> changed = desk().changed();
    if (!changed.isEmpty()) {
      ledger()
          .tell(new LedgerCommand.Keep(desk().epoch(), changed))
          .onFailure(cause -> log.warn("changes of brakes are not durable: {}", changed, cause));
    }
  }
}
