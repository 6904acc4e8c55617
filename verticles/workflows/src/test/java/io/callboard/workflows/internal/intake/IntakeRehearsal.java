package io.callboard.workflows.internal.intake;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.workflows.internal.starts.IntakeCommand;
import io.callboard.workflows.internal.starts.IntakeData;
import io.callboard.workflows.internal.starts.IntakeEvent;
import io.callboard.workflows.internal.starts.IntakeStart;
import io.callboard.workflows.model.InstanceEnded;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.MessageReceipt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Messages from their acceptance to the end of their chains, played from one seed: the machines are
 * the real ones; builders, instances, commits and faults are played. Requests are repeated, answers
 * of builders late, lost, doubled and reordered, turns fail before their commit, actors move.
 */
final class IntakeRehearsal {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Flaw of a machine, with which the rules must break. */
  enum Flaw {
    NONE,
    /** A repeated message is taken again. */
    TAKES_TWICE,
    /** Each end of an instance settles the message. */
    SETTLES_AGAIN,
    /** Any answer of a builder counts, whatever it was asked. */
    TAKES_OLD_ANSWERS
  }

  private final Flaw flaw;
  private final SplittableRandom random;
  private final Map<String, Message> messages = new TreeMap<>();
  private final PriorityQueue<Letter> mail =
      new PriorityQueue<>(Comparator.comparing(Letter::at).thenComparing(Letter::number));
  private Instant now = Instant.parse("2026-11-25T18:00:00Z");
  private long letters;
  private boolean calm;
  int settled;
  int failed;
  int chained;
  int moves;

  private record Letter(Instant at, long number, Runnable deliver) {}

  /** A message with its actor. */
  private static final class Message {
    final String id;
    final @Nullable String builder;
    final int links;
    final int failures;
    IntakeData durable = IntakeData.EMPTY;
    IntakeMachine machine;
    @Nullable Instant timer;
    long life;
    int asks;
    int settlements;
    int ends;
    final List<String> instances = new ArrayList<>();
    @Nullable String firstReceipt;
    boolean runs;

    Message(String id, @Nullable String builder, int links, int failures) {
      this.id = id;
      this.builder = builder;
      this.links = links;
      this.failures = failures;
    }
  }

  IntakeRehearsal(long seed, Flaw flaw) {
    this.random = new SplittableRandom(seed);
    this.flaw = flaw;
    for (int i = 0; i < 8; i++) {
      Message its =
          new Message(
              "m" + i,
              random.nextInt(4) > 0 ? "b" : null,
              random.nextInt(4),
              random.nextInt(3) == 0 ? random.nextInt(8) : 0);
      its.machine = machine(its.durable);
      messages.put(its.id, its);
      int times = 1 + random.nextInt(3);
      for (int k = 0; k < times; k++) {
        post(20_000, () -> take(its));
      }
    }
  }

  private IntakeMachine machine(IntakeData data) {
    RandomGenerator its = random.split();
    return switch (flaw) {
      case TAKES_TWICE ->
          new IntakeMachine(data, its) {
            @Override
            boolean isTaken() {
              return false;
            }
          };
      case SETTLES_AGAIN ->
          new IntakeMachine(data, its) {
            @Override
            boolean isSettled() {
              return false;
            }
          };
      case TAKES_OLD_ANSWERS ->
          new IntakeMachine(data, its) {
            @Override
            boolean isOpen(long ask) {
              return true;
            }
          };
      default -> new IntakeMachine(data, its);
    };
  }

  void play() {
    for (int step = 0; step < 400; step++) {
      step();
    }
    calm = true;
    for (int step = 0; step < 4_000 && !isDone(); step++) {
      step();
    }
    rule(
        isDone(),
        "N3: not all have ended: %s",
        messages.values().stream().map(m -> m.durable).toList());
    for (Message its : messages.values()) {
      rule(its.settlements == 1, "N1: %s was settled %d times", its.id, its.settlements);
    }
  }

  private boolean isDone() {
    return messages.values().stream().allMatch(m -> m.durable.stage() == IntakeData.Stage.DONE);
  }

  private void step() {
    now = now.plusMillis(500);
    for (Message its : messages.values()) {
      if (!calm && random.nextInt(60) == 0) {
        moves(its);
      }
      if (its.timer != null && !its.timer.isAfter(now)) {
        its.timer = null;
        turn(its, () -> its.machine.due(now));
      }
    }
    while (!mail.isEmpty() && !mail.peek().at().isAfter(now)) {
      mail.remove().deliver().run();
    }
  }

  /** Begins another life of the actor, with what was committed. */
  private void moves(Message its) {
    moves++;
    its.life++;
    its.machine = machine(its.durable);
    turn(its, () -> its.machine.due(now));
  }

  private void take(Message its) {
    turn(
        its,
        () ->
            its.machine.take(
                new IntakeCommand.Take(
                    its.id,
                    its.builder == null ? "d" : null,
                    its.builder,
                    JSON.objectNode(),
                    "/clients/c",
                    now,
                    null,
                    null),
                now));
    String receipt = its.durable.first();
    if (its.firstReceipt == null) {
      its.firstReceipt = receipt;
    }
    rule(
        its.firstReceipt == null || its.firstReceipt.equals(receipt),
        "N4: the message %s has two first instances",
        its.id);
  }

  /** Lets the machine decide; the commit fails at times, and the input is handled again. */
  private void turn(Message its, Runnable decide) {
    decide.run();
    if (!calm && random.nextInt(25) == 0) {
      its.life++;
      its.machine = machine(its.durable);
      its.machine.due(now);
      decide.run();
    }
    for (IntakeEvent event : its.machine.events()) {
      its.durable = its.durable.after(event);
      if (event instanceof IntakeEvent.Settled) {
        rule(++its.ends == 1, "N1: %s was settled %d times", its.id, its.ends);
      }
    }
    rule(its.durable.equals(its.machine.data()), "N5: %s differs from its events", its.id);
    its.machine.effects().forEach(effect -> carryOut(its, effect));
  }

  private void carryOut(Message its, IntakeEffect effect) {
    if (effect instanceof IntakeEffect.Ask ask) {
      ask(its, ask);
    } else if (effect instanceof IntakeEffect.Start start) {
      started(its, start);
    } else if (effect instanceof IntakeEffect.Settle settle) {
      settled(its, settle.receipt());
    } else if (effect instanceof IntakeEffect.Remind remind) {
      its.timer = remind.dueAt();
    } else if (effect instanceof IntakeEffect.Rest) {
      its.timer = null;
    }
  }

  private void settled(Message its, MessageReceipt receipt) {
    its.settlements++;
    settled++;
    failed += receipt.state() == MessageReceipt.State.FAILED ? 1 : 0;
    rule(receipt.state().isSettled(), "N1: %s is settled as %s", its.id, receipt);
    rule(its.settlements == 1, "N1: %s was settled %d times", its.id, its.settlements);
  }

  private void started(Message its, IntakeEffect.Start start) {
    rule(!its.runs, "N2: two instances of %s run at once", its.id);
    int link = start.start().input().path("link").asInt(0);
    rule(
        link == its.instances.size(),
        "N2: %s starts link %d after %d instances",
        its.id,
        link,
        its.instances.size());
    its.instances.add(start.instance());
    its.runs = true;
    chained += its.instances.size() > 1 ? 1 : 0;
    InstanceState state = random.nextBoolean() ? InstanceState.SUCCEEDED : InstanceState.FAILED;
    InstanceEnded ended = new InstanceEnded(start.instance(), "d", state, null, now);
    mail.add(
        new Letter(
            now.plusMillis(random.nextInt(10_000)),
            ++letters,
            () -> {
              its.runs = false;
              turn(its, () -> its.machine.ended(ended, now));
              if (random.nextInt(4) == 0) { // it was retried, and has ended again
                post(10_000, () -> turn(its, () -> its.machine.ended(ended, now)));
              }
            }));
  }

  private void ask(Message its, IntakeEffect.Ask ask) {
    int link = its.instances.size();
    boolean spared = random.nextInt(3) == 0; // the cell could not ask it
    its.asks += spared ? 0 : 1;
    boolean fails = spared || its.asks <= its.failures;
    boolean wants = link == 0 ? its.links > 0 : link < its.links;
    Duration delay = link > 0 && random.nextBoolean() ? Duration.ofSeconds(3) : Duration.ZERO;
    IntakeStart start =
        new IntakeStart("d", null, JSON.objectNode().put("link", link), 5, Map.of(), delay);
    IntakeCommand.Answered answer =
        new IntakeCommand.Answered(
            ask.ask(), !fails && wants ? start : null, fails ? "no" : null, false, spared);
    long life = its.life;
    int copies = calm ? 1 : random.nextInt(3);
    for (int i = 0; i < copies; i++) {
      post(
          8_000,
          () -> {
            if (its.life == life) { // an answer is to the life that asked
              turn(its, () -> its.machine.answered(answer, now));
            }
          });
    }
  }

  private void post(int within, Runnable deliver) {
    mail.add(new Letter(now.plusMillis(random.nextInt(within)), ++letters, deliver));
  }

  private static void rule(boolean holds, String text, Object... values) {
    if (!holds) {
      throw new AssertionError(text.formatted(values));
    }
  }
}
