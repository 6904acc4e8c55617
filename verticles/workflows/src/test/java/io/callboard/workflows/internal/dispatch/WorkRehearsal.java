package io.callboard.workflows.internal.dispatch;

import io.callboard.codecs.ActorPath;
import io.callboard.workflows.internal.instance.InstanceIds;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.protocol.WorkersState;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cell with desks and workers, played from one seed: the machines are the real ones; instances,
 * handlers, network, sessions and faults are played.
 *
 * <p>Messages are late, lost, doubled and overtake each other. Nodes die and return, freeze, are
 * cut off or replaced by another machine of their name; workers are restarted; desks move, and
 * those that were replaced go on for a while without knowing it. Most cancellations come while a
 * desk does not know yet what runs where. A handler that is stopped may hold its slot for a while,
 * though what it does counts no more. Each machine has a clock of its own. A node that lives on
 * after its session repeats to each new desk what it had requested for instances that others own by
 * now.
 */
final class WorkRehearsal {
  static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long TICK = SECOND / 10;
  private static final int NODES = 3;

  /** Time in which every message has arrived that does. */
  private static final long LATE = 15 * SECOND;

  /** So many that no two instances share one. */
  static final int PARTITIONS = 1 << 30;

  final SplittableRandom random;

  /** How late requests to the worker registry are. */
  private final SplittableRandom registries;

  /** How late requests of former owners are. */
  private final SplittableRandom repeats;

  /** How late the news are that a worker was given a run. */
  private final SplittableRandom notices;

  /** Whether desks tell who gets a run, as in every third world: older ones do not. */
  private final boolean tellsWorkers;

  /** The last life of a worker that has begun a run. */
  private final Map<StepRunKey, WorkerId> beganAt = new TreeMap<>();

  /** Whether requests say that they are repeated, as in every seventh world: older ones do not. */
  final boolean saysRepeated;

  long now = SECOND;
  int begun;
  int settled;
  int lost;
  int cancelled;

  private final WorkFlaw flaw;

  /** Whether two of the nodes offer the same. */
  private final boolean alike;

  private final List<PlayedWorker> nodes = new ArrayList<>();
  private final Map<String, Integer> boots = new TreeMap<>();
  private final Map<String, PlayedSteps> instances = new TreeMap<>();
  private final List<PlayedDesk> desks = new ArrayList<>();
  private final PriorityQueue<Letter> mail =
      new PriorityQueue<>(Comparator.comparingLong(Letter::at).thenComparing(Letter::number));
  private final Deque<String> story = new ArrayDeque<>();
  private final int storyLength = Integer.getInteger("callboard.rehearsal.story", 80);
  private WorkersState state = WorkersState.NONE;
  private long nextDesk;
  private long letters;
  private boolean calm;

  private record Letter(long at, long number, Runnable deliver) {}

  WorkRehearsal(long seed, WorkFlaw flaw) {
    this.random = new SplittableRandom(seed);
    this.registries = new SplittableRandom(~seed);
    this.repeats = new SplittableRandom(31 * seed);
    this.tellsWorkers = seed % 3 == 0;
    this.notices = new SplittableRandom(17 * seed);
    this.saysRepeated = seed % 7 == 1;
    this.flaw = flaw;
    this.alike = random.nextBoolean();
    for (int i = 0; i < NODES; i++) {
      boot("n" + i);
    }
    int count = 4 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      submit(i);
    }
  }

  private void submit(int number) {
    PlayedSteps instance =
        new PlayedSteps(
            this,
            "i" + number,
            "def" + "x".repeat(random.nextInt(3)),
            nodes.get(random.nextInt(NODES)));
    int steps = 1 + random.nextInt(4);
    for (int i = 0; i < steps; i++) {
      String[] types = {"handler:ocr@2", "handler:ocr", "http", "handler:mail@1"};
      Duration timeout = random.nextInt(4) == 0 ? Duration.ofSeconds(3) : null;
      instance.steps.put("s" + i, new PlayedSteps.Step(types[random.nextInt(4)], timeout));
    }
    instances.put(instance.id, instance);
  }

  private PlayedWorker boot(String name) {
    Set<String> types =
        alike && !name.equals("n1")
            ? Set.of("http", "handler:ocr@2", "handler:mail@1")
            : name.equals("n2")
                ? Set.of("http", "handler:mail@1")
                : Set.of("http", "handler:ocr@2");
    PlayedWorker node = new PlayedWorker(this, name, boots.merge(name, 1, Integer::sum), types);
    nodes.add(node);
    return node;
  }

  WorkMachine newDesk(WorkersState of) {
    return flaw.desk(of);
  }

  WorkerMachine newWorker(String name, String boot, IntSupplier lives, long epoch) {
    return flaw.worker(name, boot, lives, epoch);
  }

  // Time.

  void play() {
    for (int step = 0; step < 900; step++) {
      step();
    }
    calm();
    for (int step = 0; step < 6_000 && !isDone(); step++) {
      step();
    }
    rule(isDone(), "L1: not all ends, or a slot is not free: %s", leftovers());
  }

  /** Ends all faults: each name has one node, its newest. */
  private void calm() {
    calm = true;
    for (int i = 0; i < NODES; i++) {
      String name = "n" + i;
      List<PlayedWorker> all = nodes.stream().filter(node -> node.name.equals(name)).toList();
      all.forEach(node -> node.frozenUntil = 0);
      all.forEach(node -> node.cutUntil = 0);
      all.subList(0, Math.max(0, all.size() - 1)).forEach(this::dies);
      if (all.isEmpty() || !all.get(all.size() - 1).up) {
        PlayedWorker unused = boot(name);
      }
    }
  }

  private void dies(PlayedWorker node) {
    say("%s dies", node);
    node.up = false;
    node.attempts.clear();
    node.stopped.clear();
    node.kept.clear();
  }

  private boolean isDone() {
    boolean settledAll = instances.values().stream().allMatch(PlayedSteps::isDone);
    boolean[] empty = {desks.size() == 1 && desks.get(0).machine.isReady()};
    desks.forEach(desk -> desk.machine.runs.forEach(run -> empty[0] = false));
    desks.forEach(desk -> empty[0] &= desk.machine.reports.size() == 0);
    return settledAll
        && empty[0]
        && nodes.stream().allMatch(node -> !node.up || node.machine.held() == 0)
        && desks.get(0).machine.workers.all().stream().allMatch(this::isIdle)
        && desks.get(0).machine.workers.all().size() == nodes.stream().filter(n -> n.up).count();
  }

  private boolean isIdle(DeskWorker worker) {
    boolean[] idle = {worker.own.slots == PlayedWorker.SLOTS};
    worker.forEachSeat(seat -> idle[0] &= desks.get(0).machine.credit(seat) == seat.slots);
    worker.zones.values().forEach(seat -> idle[0] &= seat.slots == PlayedWorker.ZONE_SLOTS);
    return idle[0];
  }

  private String leftovers() {
    StringBuilder text = new StringBuilder();
    instances.values().stream()
        .filter(each -> !each.isDone())
        .forEach(i -> text.append(i).append("; "));
    desks.forEach(
        desk -> {
          text.append("desk ")
              .append(desk.epoch())
              .append(" awaits ")
              .append(desk.machine.start.awaits());
          desk.machine.runs.forEach(run -> text.append(' ').append(run));
          text.append(" workers ").append(desk.machine.workers.all());
        });
    nodes.forEach(
        node -> text.append("; ").append(node).append(node.up).append(node.attempts.keySet()));
    return text.toString();
  }

  private void step() {
    now += TICK;
    if (!calm) {
      fault();
    }
    manageDesks();
    List.copyOf(nodes).forEach(PlayedWorker::pass);
    List.copyOf(desks).forEach(PlayedDesk::pass);
    instances.values().forEach(this::pass);
    nodes.forEach(node -> node.kept.pass());
    nodes.forEach(this::ping);
    while (!mail.isEmpty() && mail.peek().at() <= now) {
      mail.remove().deliver().run();
    }
  }

  private void pass(PlayedSteps instance) {
    if (!instance.at.isMember()) {
      List<PlayedWorker> live = nodes.stream().filter(n -> n.isInTouch() && n.isMember()).toList();
      if (!live.isEmpty()) {
        instance.moves(live.get(random.nextInt(live.size())));
      }
    } else if (!calm && dice(isAwaiting() ? 60 : 400)) {
      List<PlayedSteps.Step> steps = new ArrayList<>(instance.steps.values());
      PlayedSteps.Step step = steps.get(random.nextInt(steps.size()));
      step.cancels |= !step.ended;
    }
    instance.pass();
  }

  /** Returns whether the newest desk waits for workers, so that it does not know all runs. */
  private boolean isAwaiting() {
    return !desks.isEmpty() && !desks.get(desks.size() - 1).machine.isReady();
  }

  private void ping(PlayedWorker node) {
    if (node.isInTouch() && random.nextInt(50) == 0) {
      ask(node, PlayedDesk::epoch, epoch -> node.knownEpoch = Math.max(node.knownEpoch, epoch));
    }
  }

  private void manageDesks() {
    desks.removeIf(desk -> !desk.at.up || (desk.epoch() < state.epoch() && (calm || dice(100))));
    boolean has = desks.stream().anyMatch(desk -> desk.epoch() == state.epoch());
    if (!has && nextDesk == 0) {
      nextDesk = now + upTo(calm ? 1 : 8);
    }
    if (!has && now >= nextDesk) {
      openDesk();
    }
  }

  private void openDesk() {
    List<PlayedWorker> live = nodes.stream().filter(n -> n.isInTouch() && n.isMember()).toList();
    if (!live.isEmpty()) {
      nextDesk = 0;
      state = state.opened();
      PlayedDesk desk = new PlayedDesk(this, live.get(random.nextInt(live.size())), state);
      desks.add(desk);
      say("desk %s opens at %s", desk.epoch(), desk.at);
      for (PlayedWorker node : nodes) {
        post(desk.at, node, () -> node.knownEpoch = Math.max(node.knownEpoch, desk.epoch()));
        post(desk.at, node, () -> node.deskStarted(desk.epoch()));
      }
    }
  }

  boolean dice(int sides) {
    return random.nextInt(sides) == 0;
  }

  long upTo(int seconds) {
    return random.nextLong(seconds * SECOND);
  }

  private void fault() {
    int dice = random.nextInt(1_000);
    PlayedWorker node = nodes.get(random.nextInt(nodes.size()));
    if (dice < 3) {
      say("%s freezes", node);
      node.frozenUntil = now + upTo(30);
    } else if (dice < 7) {
      say("%s is cut off", node);
      node.cutUntil = now + upTo(30);
      if (dice(3)) { // the next one does not know what it has
        openDesk();
      }
    } else if (dice < 9 && node.up) {
      dies(node);
    } else if (dice < 13 && node.isActive()) {
      say("the worker of %s restarts", node);
      node.restart();
    } else if (dice < 17 || (dice < 40 && nodes.stream().anyMatch(n -> !n.stopped.isEmpty()))) {
      say("the desk moves");
      openDesk();
    } else if (dice < 300 && nodes.stream().anyMatch(this::runsForgotten)) {
      say("the desk moves, while a worker runs steps of which the next desk does not know");
      openDesk();
    } else if (dice < 300 && node.isActive() && hasWhatIsResultElsewhere(node)) {
      say("the worker of %s restarts, which loses a run of which another one has a result", node);
      node.restart();
    }
    for (int i = 0; i < NODES; i++) {
      String name = "n" + i;
      if (nodes.stream().noneMatch(n -> n.name.equals(name) && n.isMember()) && dice(20)) {
        say("%s boots", name);
        PlayedWorker unused = boot(name);
      }
    }
    nodes.removeIf(
        n -> !n.up && !n.isMember() && instances.values().stream().noneMatch(i -> i.at == n));
  }

  private boolean runsForgotten(PlayedWorker node) {
    return node.isActive() && !node.attempts.isEmpty() && !state.boots().containsKey(node.boot);
  }

  private boolean hasWhatIsResultElsewhere(PlayedWorker of) {
    return nodes.stream()
        .anyMatch(n -> n != of && n.up && !Collections.disjoint(n.results, of.attempts.keySet()));
  }

  // Network.

  private void post(PlayedWorker from, PlayedWorker to, Runnable deliver) {
    if (from.isCut()) {
      return;
    }
    int dice = calm ? 99 : random.nextInt(100);
    if (dice >= 6 || from == to) {
      int copies = dice < 10 ? 2 : 1;
      for (int i = 0; i < copies; i++) {
        long delay = dice < 20 ? upTo(12) : upTo(1) / 4;
        mail.add(new Letter(now + (calm ? 0 : delay), ++letters, () -> deliver(to, deliver)));
      }
    }
  }

  private void deliver(PlayedWorker to, Runnable message) {
    if (to.up && to.isFrozen()) {
      mail.add(new Letter(to.frozenUntil + TICK, ++letters, () -> deliver(to, message)));
    } else if (to.isInTouch()) {
      message.run();
    }
  }

  /** Returns the desk that a message reaches: the present one, or one that was replaced. */
  private @Nullable PlayedDesk desk() {
    return desks.isEmpty()
        ? null
        : dice(3) ? desks.get(random.nextInt(desks.size())) : desks.get(desks.size() - 1);
  }

  void toDesk(PlayedWorker from, DeskCommand.News news) {
    say("%s > desk %s", from, news);
    PlayedDesk desk = desk();
    if (desk != null) {
      post(from, desk.at, () -> desk.news(news));
    }
  }

  <T> void ask(PlayedWorker from, Function<PlayedDesk, T> question, Consumer<T> answer) {
    PlayedDesk desk = desk();
    if (desk != null) {
      post(
          from,
          desk.at,
          () -> {
            T says = question.apply(desk);
            post(desk.at, from, () -> answer.accept(says));
          });
    }
  }

  /** Requests a run of the newest desk, of an instance that another node owns by now. */
  void repeat(PlayedWorker from, StepRequest request, Consumer<RequestAnswer> answer) {
    PlayedDesk desk = desks.isEmpty() ? null : desks.get(desks.size() - 1);
    if (desk != null) {
      long at = now + repeats.nextLong(8 * SECOND);
      mail.add(
          new Letter(
              at,
              ++letters,
              () -> {
                if (from.isInTouch() && desk.at.isInTouch()) {
                  say(
                      "%s, which owned it in epoch %s, requests %s",
                      from, request.owner(), request.key());
                  answer.accept(desk.request(request));
                }
              }));
    }
  }

  /** Tells the node of an instance which worker gets a run of it, unless the instance has moved. */
  void given(PlayedDesk desk, StepRequest request, WorkerId worker) {
    PlayedSteps instance = instances.get(request.instance());
    PlayedWorker to = instance.at;
    if (tellsWorkers
        && to.name.equals(request.node())
        && (to == desk.at || notices.nextInt(20) > 0)) {
      long at = now + (calm || to == desk.at ? 0 : notices.nextLong(SECOND / 4));
      mail.add(
          new Letter(
              at,
              ++letters,
              () -> {
                if (to.isInTouch() && instance.at == to) {
                  instance.given(request.key(), worker);
                }
              }));
    }
  }

  void toWorker(PlayedWorker from, WorkerId id, Consumer<PlayedWorker> deliver) {
    nodes.stream()
        .filter(node -> node.boot.equals(id.boot()))
        .findFirst()
        .ifPresent(node -> post(from, node, () -> deliver.accept(node)));
  }

  /** Reports to an instance; without an answer in time the report has failed. */
  void report(
      PlayedWorker from, StepRunKey key, Predicate<PlayedSteps> report, Consumer<Boolean> outcome) {
    PlayedSteps instance = instances.get(key.instance());
    boolean[] answered = {false};
    Consumer<Boolean> once =
        durable -> {
          if (!answered[0] && from.up) {
            answered[0] = true;
            outcome.accept(durable);
          }
        };
    post(
        from,
        instance.at,
        () -> {
          if (instance.at.isInTouch() && instance.at.isMember()) {
            boolean durable = report.test(instance);
            post(instance.at, from, () -> once.accept(durable));
          }
        });
    mail.add(
        new Letter(now + 5 * SECOND, ++letters, () -> whenThawed(from, () -> once.accept(false))));
  }

  /** Asks an instance whether a run of it is open; question and answer may be lost. */
  void askInstance(PlayedWorker from, StepRunKey key, Consumer<Boolean> answer) {
    PlayedSteps instance = instances.get(key.instance());
    post(
        from,
        instance.at,
        () -> {
          if (instance.at.isInTouch() && instance.at.isMember()) {
            boolean open = instance.isOpen(key);
            post(instance.at, from, () -> answer.accept(open));
          }
        });
  }

  private void whenThawed(PlayedWorker node, Runnable task) {
    if (node.up && node.isFrozen()) {
      mail.add(new Letter(node.frozenUntil + TICK, ++letters, () -> whenThawed(node, task)));
    } else if (node.up) {
      task.run();
    }
  }

  /** Returns what is durable without a boot. */
  WorkersState without(WorkersState of, DeskEffect.Forget forget) {
    return of.without(
        forget.boot(), flaw == WorkFlaw.FORGETS_WHAT_CAME_BACK ? null : forget.number());
  }

  /**
   * Changes what is durable, unless another desk has taken over, which it is told. Requests may be
   * late and overtake each other.
   *
   * @param late one in how many is late
   */
  void registry(
      PlayedDesk desk,
      int late,
      UnaryOperator<WorkersState> change,
      Runnable done,
      LongConsumer denied) {
    mail.add(
        new Letter(
            calm || registries.nextInt(late) > 0 ? now : now + registries.nextLong(20 * SECOND),
            ++letters,
            () -> {
              long present = state.epoch();
              if (desk.at.isInTouch() && desk.epoch() == present) {
                state = change.apply(state);
                answer(desk, done);
              } else if (desk.at.isInTouch()) {
                answer(desk, () -> denied.accept(present));
              }
            }));
  }

  /** The answer of the registry may be lost, or come when another desk has taken over. */
  private void answer(PlayedDesk desk, Runnable done) {
    if (random.nextInt(10) > 0) {
      long at = random.nextInt(4) > 0 ? now : now + upTo(30);
      mail.add(
          new Letter(
              at,
              ++letters,
              () -> {
                if (desk.at.isActive()) {
                  done.run();
                }
              }));
    }
  }

  /** Returns the epochs of the owners of all instances, by number of their partitions. */
  Map<Integer, Long> owners() {
    Map<Integer, Long> epochs = new TreeMap<>();
    instances
        .values()
        .forEach(
            each ->
                epochs.put(
                    ActorPath.of(InstanceIds.path(each.id)).partition(PARTITIONS).number(),
                    each.owner));
    return epochs;
  }

  List<String> members() {
    return nodes.stream().filter(PlayedWorker::isMember).map(node -> node.boot).toList();
  }

  // What must hold.

  /**
   * R1: a step runs once at a time. R2: no run that was requested again begins long after its
   * instance has settled it. R3: none that is open begins again under its number if its node has
   * told the desk which worker had it.
   */
  void begins(PlayedWorker at, StepRequest request) {
    StepRunKey key = request.key();
    say("%s begins %s", at, key);
    begun++;
    rule(
        !request.isRepeated() || !instances.get(key.instance()).wasSettled(key, now - LATE),
        "R2: %s begins at %s, and was settled long ago",
        key,
        at);
    rule(
        request.given() == null
            || !request.given().equals(beganAt.get(key))
            || instances.get(key.instance()).wasSettled(key, now),
        "R3: %s begins at %s, and had begun at %s, to which it was given",
        key,
        at,
        request.given());
    beganAt.put(key, at.machine.id());
    for (PlayedWorker node : nodes) {
      if (node.isActive()) {
        for (StepRunKey other : node.attempts.keySet()) {
          rule(
              !other.instance().equals(key.instance()) || !other.step().equals(key.step()),
              "R1: %s begins at %s while %s runs at %s",
              key,
              at,
              other,
              node);
        }
      }
    }
  }

  /** A run that got no thread is given back, and has not begun. */
  void notBegun(StepRunKey key) {
    beganAt.remove(key);
  }

  /** S5: a desk assigns nothing that its instance had settled before that desk opened. */
  void assigns(PlayedDesk desk, StepRunKey key) {
    rule(
        !instances.get(key.instance()).wasSettled(key, desk.opened),
        "S5: %s is assigned by desk %s, which opened when its instance had settled it",
        key,
        desk.epoch());
  }

  boolean isReplaced(long epoch) {
    return epoch < state.epoch();
  }

  boolean isAlive(StepRunKey key) {
    return nodes.stream().anyMatch(node -> node.isActive() && node.attempts.containsKey(key));
  }

  void rule(boolean holds, String text, Object... what) {
    if (!holds) {
      throw new AssertionError(text.formatted(what) + "\n" + String.join("\n", story));
    }
  }

  void say(String text, Object... what) {
    story.add(now / TICK + " " + text.formatted(what));
    if (story.size() > storyLength) {
      story.remove();
    }
  }
}
