package io.callboard.examples.search;

import io.callboard.Actor;
import io.callboard.ActorStatus;
import io.callboard.ActorStatus.State;
import io.callboard.Protocol;
import io.callboard.examples.search.Corpus.Entry;
import io.callboard.examples.search.Overseer.Message;
import io.callboard.examples.search.TreeWatch.Sight;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outer failure zone: starts the trees, looks after them, restarts one as a whole when {@link
 * TreeWatch} says so, and tells the front ends which one serves. The one that serves goes on to
 * until it is not up.
 */
final class Overseer extends Actor<Message> {
  private static final Logger log = LoggerFactory.getLogger(Overseer.class);
  private static final Duration PERIOD = Duration.ofMillis(50);

  /** Before a tree is started again; doubled for each time that it could not be. */
  private static final long PAUSE_MS = 200;

  private static final int LONGEST_PAUSE = 6;

  /** What happens to the trees. */
  sealed interface Message {
    /** Time to look. */
    record Look() implements Message {}

    /** The actors of this node. */
    record Seen(List<Sight> actors) implements Message {}

    /** They could not be listed. */
    record NotSeen(String why) implements Message {}

    /** The index of a share of a tree is there: found, copied or made. */
    record Indexed(String tree, int share, String how) implements Message {}

    /** What was begun with a tree has ended. */
    record Ended(String tree, Phase phase, String failure) implements Message {}

    /** A front end has started and wants to know. */
    record FrontStarted(int number) implements Message {}

    /** Answered with {@link Status}. */
    record Ask() implements Message {}
  }

  /** What is being done with a tree. */
  enum Phase {
    DOWN,
    INDEXING,
    STARTING,
    UP,
    STOPPING
  }

  /** How the trees are. */
  record Status(String serving, List<TreeStatus> trees) {
    /** How one is; {@code why} it was restarted last. */
    record TreeStatus(String tree, Phase phase, long restarts, long nodeRestarts, String why) {}
  }

  private final SearchOptions options;
  private final List<List<Entry>> shares;
  private final InstantSource clock;
  private final Consumer<String> out;
  private final Promise<Void> firstUp;
  private final Map<String, Watched> trees = new LinkedHashMap<>();
  private final TreeSet<Integer> fronts = new TreeSet<>();
  private Trees told = Trees.NONE;
  private String serving = "";

  /** One tree. */
  private static final class Watched {
    final Tree tree;
    final TreeZone zone;
    final TreeWatch watch;
    final Map<Integer, String> indexed = new TreeMap<>();
    Phase phase = Phase.STOPPING; // what an overseer before this one left
    long notBefore;
    long begun;
    int failures;
    long restarts;
    long nodeRestarts;
    String why = "";

    Watched(Tree tree, TreeZone zone, TreeWatch watch) {
      this.tree = tree;
      this.zone = zone;
      this.watch = watch;
    }
  }

  /**
   * @param out told what happens, in lines
   * @param firstUp completed when the first tree is up; failed if none can be
   */
  Overseer(
      SearchOptions options,
      List<List<Entry>> shares,
      InstantSource clock,
      Consumer<String> out,
      Promise<Void> firstUp) {
    this.options = options;
    this.shares = shares;
    this.clock = clock;
    this.out = out;
    this.firstUp = firstUp;
  }

  @Override
  protected void protocol(Protocol<Message> on) {
    on.message(Message.Look.class, look -> look())
        .message(Message.Seen.class, seen -> seen(seen.actors()))
        .message(Message.NotSeen.class, not -> log.warn("the actors are unknown: {}", not.why()))
        .message(Message.Indexed.class, this::indexed)
        .message(Message.Ended.class, this::ended)
        .message(Message.FrontStarted.class, front -> frontStarted(front.number()))
        .message(Message.Ask.class, ask -> reply(status()));
  }

  @Override
  protected Future<?> started() {
    List<Tree> all = options.trees();
    for (int i = 0; i < all.size(); i++) {
      Tree tree = all.get(i);
      Tree twin = all.get((i + 1) % all.size());
      TreeZone zone = new TreeZone(callboard(), tree, twin, shares, clock);
      TreeWatch watch = new TreeWatch(tree, options.treeRestarts(), options.treeWindow());
      Watched watched = new Watched(tree, zone, watch);
      trees.put(tree.name(), watched);
      run(watched, Phase.DOWN, zone.stop());
    }
    startPeriodicTimer("look", PERIOD, new Message.Look());
    return Future.succeededFuture();
  }

  private void look() {
    pipeToSelf(callboard().running(), Overseer::seenOrNot);
  }

  private static Message seenOrNot(AsyncResult<List<ActorStatus>> running) {
    return running.failed()
        ? new Message.NotSeen(String.valueOf(running.cause()))
        : new Message.Seen(
            running.result().stream()
                .map(actor -> new Sight(actor.path().toString(), actor.state(), actor.restarts()))
                .toList());
  }

  private void seen(List<Sight> actors) {
    greetFronts(actors);
    for (Watched watched : trees.values()) {
      switch (watched.phase) {
        case DOWN -> index(watched);
        case INDEXING -> checkIndexers(watched, actors);
        case UP ->
            watched.watch.look(clock.millis(), actors).ifPresent(why -> restart(watched, why));
        case STARTING, STOPPING -> {}
      }
      if (watched.phase == Phase.UP) {
        watched.nodeRestarts =
            actors.stream()
                .filter(actor -> watched.tree.has(actor.path()))
                .mapToLong(Sight::restarts)
                .sum();
      }
      clear(watched.tree, actors);
    }
  }

  /** Those that an overseer before this one knew. */
  private void greetFronts(List<Sight> actors) {
    for (Sight actor : actors) {
      for (int number = 0; number < options.fronts(); number++) {
        if (actor.path().equals(Tree.front(number)) && !fronts.contains(number)) {
          frontStarted(number);
        }
      }
    }
  }

  /** A gatherer that failed is of no use any more. */
  private void clear(Tree tree, List<Sight> actors) {
    for (Sight actor : actors) {
      if (actor.state() == State.FAILED && tree.isGatherer(actor.path())) {
        callboard()
            .stop(actor.path())
            .onFailure(cause -> log.warn("{} did not stop", actor.path(), cause));
      }
    }
  }

  /** One tree after the other, so that the second can copy from the first. */
  private void index(Watched watched) {
    if (clock.millis() < watched.notBefore
        || trees.values().stream().anyMatch(other -> other.phase == Phase.INDEXING)) {
      return;
    }
    watched.phase = Phase.INDEXING;
    watched.begun = clock.millis();
    watched.indexed.clear();
    out.accept("tree %s: looking for its index, or making it".formatted(watched.tree.name()));
    pipeToSelf(
        watched.zone.index(),
        done -> new Message.Ended(watched.tree.name(), Phase.INDEXING, failure(done)));
  }

  private void checkIndexers(Watched watched, List<Sight> actors) {
    for (Sight actor : actors) {
      if (actor.state() == State.FAILED
          && watched.tree.has(actor.path())
          && !watched.tree.isGatherer(actor.path())) {
        giveUp(watched, actor.path() + " has failed for good; the log says why");
        return;
      }
    }
  }

  /** Nothing to serve yet, and no way to it. */
  private void giveUp(Watched watched, String why) {
    firstUp.tryFail(new IllegalStateException("tree %s: %s".formatted(watched.tree.name(), why)));
    watched.failures++;
    restart(watched, why);
  }

  private void indexed(Message.Indexed message) {
    Watched watched = watched(message.tree());
    if (watched.phase != Phase.INDEXING) {
      return;
    }
    watched.indexed.put(message.share(), message.how());
    if (watched.indexed.size() == watched.tree.shares()) {
      out.accept(
          "tree %s: index %s after %d ms"
              .formatted(
                  message.tree(),
                  String.join(" and ", new TreeSet<>(watched.indexed.values())),
                  clock.millis() - watched.begun));
      watched.phase = Phase.STARTING;
      run(watched, Phase.UP, watched.zone.start());
    }
  }

  private void restart(Watched watched, String why) {
    watched.phase = Phase.STOPPING;
    watched.restarts++;
    watched.why = why;
    out.accept("tree %s is restarted as a whole: %s".formatted(watched.tree.name(), why));
    tellFronts();
    run(watched, Phase.DOWN, watched.zone.stop());
  }

  private void run(Watched watched, Phase then, Future<Void> work) {
    pipeToSelf(work, done -> new Message.Ended(watched.tree.name(), then, failure(done)));
  }

  private static String failure(AsyncResult<?> done) {
    return done.failed() ? String.valueOf(done.cause().getMessage()) : "";
  }

  private void ended(Message.Ended ended) {
    Watched watched = watched(ended.tree());
    if (!ended.failure().isEmpty() && ended.phase() != Phase.DOWN) {
      if (watched.phase == Phase.STOPPING || watched.phase == Phase.DOWN) {
        return; // that is why it was stopped
      }
      giveUp(watched, ended.failure());
      return;
    }
    switch (ended.phase()) {
      case UP -> {
        watched.phase = Phase.UP;
        watched.failures = 0;
        watched.watch.begin();
        out.accept("tree %s is up".formatted(ended.tree()));
        firstUp.tryComplete();
        tellFronts();
      }
      case DOWN -> {
        if (!ended.failure().isEmpty()) {
          log.warn("tree {} did not stop cleanly: {}", ended.tree(), ended.failure());
        }
        watched.phase = Phase.DOWN;
        watched.notBefore = clock.millis() + pause(watched);
      }
      case INDEXING, STARTING, STOPPING -> {}
    }
  }

  private static long pause(Watched watched) {
    return watched.restarts == 0 ? 0 : PAUSE_MS << Math.min(watched.failures, LONGEST_PAUSE);
  }

  private Watched watched(String tree) {
    Watched watched = trees.get(tree);
    if (watched == null) {
      throw new IllegalArgumentException("there is no tree \"%s\"".formatted(tree));
    }
    return watched;
  }

  private void tellFronts() {
    List<String> up =
        trees.values().stream()
            .filter(watched -> watched.phase == Phase.UP)
            .map(watched -> watched.tree.name())
            .toList();
    if (!up.contains(serving)) {
      serving = up.isEmpty() ? "" : up.get(0);
    }
    told = new Trees(serving, up);
    fronts.forEach(this::tellFront);
  }

  private void frontStarted(int number) {
    fronts.add(number);
    tellFront(number);
  }

  private void tellFront(int number) {
    tell(
        callboard().ref(Tree.front(number), FrontEnd.Message.class),
        new FrontEnd.Message.Known(told));
  }

  private Status status() {
    List<Status.TreeStatus> all = new ArrayList<>();
    trees
        .values()
        .forEach(
            watched ->
                all.add(
                    new Status.TreeStatus(
                        watched.tree.name(),
                        watched.phase,
                        watched.restarts,
                        watched.nodeRestarts,
                        watched.why)));
    return new Status(serving, all);
  }
}
