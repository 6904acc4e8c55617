package io.callboard.grid.internal.index;

import io.callboard.Callboard;
import io.callboard.cell.CellListener;
import io.callboard.store.Member;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions of a node to the indexes of one kind of all members of the cell. Who does not answer in
 * time is left out for a moment. Any thread.
 *
 * @param <C> what the actors of the indexes understand
 */
public final class MemberQuestions<C> {
  /** Time for which a member is waited for. */
  public static final Duration ANSWER = Duration.ofSeconds(2);

  private static final Logger log = LoggerFactory.getLogger(MemberQuestions.class);

  private final Callboard callboard;
  private final IndexKind<C> kind;
  private final MemberAnswers answering = new MemberAnswers();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile Set<String> members;
  private volatile boolean closed;

  /**
   * Kind of index.
   *
   * @param path returns the path of the actor of the index of a node
   * @param commands what it understands
   */
  public record IndexKind<C>(UnaryOperator<String> path, Class<C> commands) {}

  /**
   * Answers of members.
   *
   * @param byNode the answers, by node
   * @param missing members that gave none
   * @param away those of them that are not expected to give one soon
   * @param without those of them that said that they have no index
   */
  public record Answers<A>(
      Map<String, A> byNode, Set<String> missing, Set<String> away, Set<String> without) {
    /** Returns the answers, without their nodes. */
    public Collection<A> all() {
      return byNode.values();
    }
  }

  /** Creates the questions of a node, which knows no other member before {@link #start}. */
  public MemberQuestions(Callboard callboard, IndexKind<C> kind) {
    this.callboard = callboard;
    this.kind = kind;
    this.members = Set.of(callboard.node());
  }

  /** Begins to follow the members of the cell; completes when they are known. */
  public Future<Void> start() {
    callboard.listen(
        new CellListener() {
          @Override
          public void membersChanged() {
            if (!closed) {
              read().onFailure(cause -> log.debug("the members cannot be read now", cause));
            }
          }
        });
    return read();
  }

  private Future<Void> read() {
    return callboard
        .members()
        .map(
            found -> {
              Set<String> names = new HashSet<>(found.stream().map(Member::name).toList());
              names.add(callboard.node());
              answering.retain(names);
              members = Set.copyOf(names);
              listeners.forEach(Runnable::run);
              return null;
            });
  }

  /** Calls a listener after the members have changed. */
  public void onMembers(Runnable listener) {
    listeners.add(listener);
  }

  /** Returns the names of the members. */
  public Set<String> members() {
    return members;
  }

  /** Asks all members that are not silent; completes with the answers that came, never fails. */
  public <A> Future<Answers<A>> all(C question, Class<A> type) {
    Map<String, Future<A>> asked = new TreeMap<>();
    Set<String> missing = new TreeSet<>();
    for (String node : members) {
      if (answering.isSilent(node, callboard.time().nanoTime())) {
        missing.add(node);
      } else {
        asked.put(node, ask(node, question, type));
      }
    }
    return Future.join(List.copyOf(asked.values()))
        .transform(done -> Future.succeededFuture(answers(asked, missing)));
  }

  private <A> Answers<A> answers(Map<String, Future<A>> asked, Set<String> missing) {
    Map<String, A> answers = new TreeMap<>();
    asked.forEach(
        (node, answer) -> {
          if (answer.succeeded()) {
            answers.put(node, answer.result());
          } else {
            missing.add(node);
          }
        });
    long nowNs = callboard.time().nanoTime();
    return new Answers<>(
        answers,
        missing,
        missing.stream().filter(node -> answering.isAway(node, nowNs)).collect(Collectors.toSet()),
        missing.stream().filter(answering::isWithout).collect(Collectors.toSet()));
  }

  private <A> Future<A> ask(String node, C question, Class<A> type) {
    return callboard
        .ref(kind.path().apply(node), kind.commands())
        .ask(question, type, ANSWER)
        .onSuccess(answer -> answering.answered(node))
        .onFailure(cause -> failed(node, cause));
  }

  private void failed(String node, Throwable cause) {
    if (!node.equals(callboard.node())) {
      answering.failed(node, cause, callboard.time().nanoTime());
    }
  }

  /** Ends the reading of members. */
  public void close() {
    closed = true;
  }
}
