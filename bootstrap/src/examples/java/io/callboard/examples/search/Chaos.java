package io.callboard.examples.search;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.examples.search.Chaos.Strike;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Kills a random node of a random tree again and again, every other one in its next query. */
final class Chaos extends Actor<Strike> {
  /** Time for the next. */
  record Strike() {}

  private final List<Tree> trees;
  private final Duration period;
  private final RandomGenerator random;

  Chaos(List<Tree> trees, Duration period, RandomGenerator random) {
    this.trees = trees;
    this.period = period;
    this.random = random;
  }

  @Override
  protected void protocol(Protocol<Strike> on) {
    on.message(Strike.class, strike -> strike());
  }

  @Override
  protected Future<?> started() {
    startPeriodicTimer("strike", period, new Strike());
    return Future.succeededFuture();
  }

  private void strike() {
    Tree tree = trees.get(random.nextInt(trees.size()));
    tell(
        callboard().ref(tree.node(random.nextInt(tree.shares())), SearchNode.Message.class),
        new SearchNode.Message.Kill(random.nextBoolean()));
  }
}
