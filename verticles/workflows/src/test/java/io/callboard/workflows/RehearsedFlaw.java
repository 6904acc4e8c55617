package io.callboard.workflows;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.testkit.internal.world.Witness;
import io.callboard.testkit.internal.world.WorldCell;
import io.callboard.testkit.internal.world.WorldTime;
import io.callboard.workflows.internal.actor.InstanceActor;
import io.callboard.workflows.internal.actor.IntakeActor;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.protocol.WorkerNews;
import io.callboard.workflows.internal.starts.StartCommand;
import io.callboard.workflows.internal.starts.StartReport;
import io.callboard.workflows.internal.starts.StartReport.OfDefinition;
import io.callboard.workflows.internal.worker.WorkerActor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Flaw of an engine, with which a rule of a {@link WorkflowsRehearsal} must break. */
enum RehearsedFlaw {
  NONE(0, "no rule"),
  /** A run is assigned again although its worker has not given it back. */
  GRANTS_AGAIN(0, "R1: "),
  /** A worker does not look at the session of its node. */
  IGNORES_SESSION(11, "R1: "),
  /** The report of an earlier run counts for the present one. */
  TAKES_OLD_REPORTS(0, "O1: "),
  /** The report of a run is lost although its worker takes it for durable. */
  LOSES_REPORTS(0, "L1: "),
  /** An instance that ends gives its permit back never. */
  FORGETS_PERMITS(0, "L[12]: "),
  /** A worker does not say that a slot is free. */
  FORGETS_SLOTS(0, "L[12]: "),
  /** A step that is requested again gets another input. */
  CHANGES_INPUT(0, "I1: "),
  /** A message is settled before that is durable. */
  SETTLES_BEFORE_COMMIT(17, "N1: ");

  private final Witness witness;

  RehearsedFlaw(long seed, String rule) {
    witness = new Witness(seed, rule);
  }

  Witness witness() {
    return witness;
  }

  /** Plays the flaw in a world, by what becomes of messages. */
  static final class Player {
    private final RehearsedFlaw flaw;
    private final WorldCell cell;
    private final SplittableRandom random;
    private final Map<String, WorkerId> workers = new TreeMap<>();
    private final Map<String, StepOutcome> outcomes = new HashMap<>();
    private final Map<String, Integer> forgotten = new HashMap<>();
    private long epoch;

    Player(RehearsedFlaw flaw, WorldCell cell, SplittableRandom random) {
      this.flaw = flaw;
      this.cell = cell;
      this.random = random;
    }

    boolean stores(String to, Object message) {
      if (message instanceof InstanceCommand.Done done && !done.step().isEmpty()) {
        outcomes.put(to + " " + done.step() + " " + done.run(), done.outcome());
        return flaw != LOSES_REPORTS || random.nextInt(20) > 0;
      }
      return true;
    }

    void persisted(String instance, InstanceEvent event) {
      if (flaw == TAKES_OLD_REPORTS && event instanceof InstanceEvent.StepStarted started) {
        String path = InstanceActor.path(instance);
        StepOutcome old = outcomes.get(path + " " + started.step() + " " + (started.run() - 1));
        if (old != null && random.nextInt(4) == 0) {
          var unused =
              cell.time()
                  .after(
                      random.nextLong(WorldTime.SECOND),
                      () ->
                          cell.tell(
                              path,
                              new InstanceCommand.Done(
                                  started.step(), started.run(), old, null, started.at())));
        }
      }
    }

    boolean arrives(String to, Object message) {
      if (message instanceof DeskCommand.News news) {
        workers.put(news.worker().node(), news.worker());
        epoch = Math.max(epoch, news.epoch());
      } else if (flaw == GRANTS_AGAIN && message instanceof WorkerCommand.Orders orders) {
        orders.orders().stream()
            .filter(order -> order instanceof WorkerCommand.Assign && random.nextInt(20) == 0)
            .forEach(order -> assignElsewhere(to, order));
      }
      return flaw != IGNORES_SESSION || !(message instanceof WorkerCommand.SessionLost);
    }

    private void assignElsewhere(String to, WorkerCommand.Order order) {
      List<WorkerId> others = new ArrayList<>(workers.values());
      others.removeIf(worker -> WorkerActor.path(worker.node()).equals(to));
      if (!others.isEmpty()) {
        WorkerId other = others.get(random.nextInt(others.size()));
        cell.send(
            WorkerActor.path(other.node()), WorkerCommand.Orders.to(other, epoch, List.of(order)));
      }
    }

    Object comes(Object message) {
      if (flaw == FORGETS_PERMITS && message instanceof StartCommand.Report report) {
        return new StartCommand.Report(forgetting(report.report()));
      } else if (flaw == CHANGES_INPUT && message instanceof DeskCommand.Request asked) {
        return new DeskCommand.Request(asked.requests().stream().map(Player::changed).toList());
      } else if (flaw == FORGETS_SLOTS && message instanceof DeskCommand.News news) {
        return forgetting(news);
      } else if (flaw == IGNORES_SESSION && message instanceof WorkerCommand.SessionLives lives) {
        return new WorkerCommand.SessionLives(lives.untilNanos() + 1_000 * WorldTime.SECOND);
      }
      return message;
    }

    private static StepRequest changed(StepRequest asked) {
      return asked.isRepeated()
          ? new StepRequest(
              asked.instance(),
              asked.definition(),
              asked.step(),
              asked.attempt(),
              asked.run(),
              asked.type(),
              asked.priority(),
              asked.weight(),
              asked.timeout(),
              asked.readyAt(),
              asked.node(),
              JsonNodeFactory.instance.objectNode().put("run", asked.run()),
              asked.with(),
              asked.idempotencyKey(),
              asked.large(),
              asked.owner(),
              asked.repeated(),
              asked.given())
          : asked;
    }

    /** An instance that has ended on a node stays in its count now and then. */
    private StartReport forgetting(StartReport report) {
      List<OfDefinition> all = new ArrayList<>();
      for (OfDefinition has : report.definitions()) {
        String of = report.boot() + " " + has.definition();
        if (has.succeeded() > forgotten.getOrDefault(of, 0) && random.nextInt(4) == 0) {
          forgotten.merge(of, 1, Integer::sum);
        }
        all.add(
            new OfDefinition(
                has.definition(),
                has.running() + forgotten.getOrDefault(of, 0),
                has.counted(),
                has.waiting(),
                has.used(),
                has.succeeded(),
                has.failed(),
                has.weight()));
      }
      return new StartReport(
          report.node(),
          report.boot(),
          report.epoch(),
          report.number(),
          all,
          report.messages(),
          report.room());
    }

    /** News say of some slots nothing, as if a worker had one slot less after each of some runs. */
    private DeskCommand.News forgetting(DeskCommand.News news) {
      String boot = news.worker().boot();
      for (var each : news.news()) {
        if (each instanceof WorkerNews.Settled && random.nextInt(8) == 0) {
          forgotten.merge(boot, 1, Integer::sum);
        }
      }
      return new DeskCommand.News(
          news.epoch(),
          news.worker(),
          news.seq(),
          news.news().stream()
              .map(
                  each ->
                      each instanceof WorkerNews.Hello hello
                          ? new WorkerNews.Hello(
                              Math.max(0, hello.slots() - forgotten.getOrDefault(boot, 0)),
                              hello.types(),
                              hello.held(),
                              hello.draining(),
                              hello.zones(),
                              hello.trouble())
                          : each)
              .toList());
    }

    boolean sendsBeforeCommit(String path) {
      return flaw == SETTLES_BEFORE_COMMIT && path.startsWith(IntakeActor.PREFIX + "/");
    }
  }
}
