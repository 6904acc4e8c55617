package io.callboard.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Questions of operators to one node of the cell, this one or another, over the event bus; every
 * node answers, whether it has a dashboard or not. Answers are JSON, of which a reader takes the
 * fields that it knows: a newer node may add some.
 *
 * <p>Futures fail with {@link io.callboard.CallboardException} of code {@code UNAVAILABLE} if the
 * node does not answer within 2 s, is asked too much at once, or is of a version that does not know
 * the question.
 */
public interface RemoteAdmin {
  /** Maximum number of actors, of failure zones and of mailboxes in a roll-up. */
  int MOST = 20;

  /** Maximum number of failure zones whose contents are asked for at once. */
  int MOST_ZONES = 20;

  /** Maximum number of rows of each of these zones. */
  int MOST_CHILDREN = 100;

  /** Maximum size of an answer in bytes. */
  int MOST_BYTES = 256 * 1024;

  /**
   * Completes with the roll-up of the node: {@code actors} of the application ({@code count},
   * {@code byState}, {@code queued}), {@code system} with the toolkit's own, {@code zones} by
   * state, {@code mailboxes} ({@code count}, {@code depth}, {@code oldestAt}), and up to {@value
   * #MOST} each of {@code worst} actors, {@code failedZones}, actors and failure zones that keep
   * {@code failing} ({@code failingFurther} if there are more), actors that stay {@code
   * interrupted} (of {@code interruptedActors}), {@code fullest} mailboxes, mailboxes with the
   * {@code oldest} mail of actors that run, open {@code circuits} (of {@code openCircuits}, among
   * the first {@code circuitsOf} actors with details if that is there) and scheduling zones ({@code
   * threads}). An older node does not tell all of these.
   */
  Future<ObjectNode> rollUp();

  /**
   * Completes with the failure zone, or else the actor, of that path on that node, with its last
   * failures; empty if it has neither.
   */
  Future<Optional<ObjectNode>> find(String path);

  /**
   * Completes with {@link SupervisionTree#rows} of that node: what is in these of its failure
   * zones. It is a second old at most, or a hundred times as old as it took to read, at most 30 s;
   * there are fewer rows of each zone than asked for if the answer were too large else. The node
   * answers for up to 16 different sets of zones at the same time.
   *
   * @param zones 1 to {@value #MOST_ZONES} paths of failure zones
   * @param most maximum number of rows of each, 1 to {@value #MOST_CHILDREN}
   */
  Future<Map<String, ObjectNode>> contents(List<String> zones, int most);

  /** Carries out {@link CallboardAdmin#restart} on that node. */
  Future<Void> restart(String path);

  /** Carries out {@link CallboardAdmin#resume} on that node. */
  Future<Void> resume(String path);

  /** Carries out {@link CallboardAdmin#suspend} on that node. */
  Future<Void> suspend(String path);
}
