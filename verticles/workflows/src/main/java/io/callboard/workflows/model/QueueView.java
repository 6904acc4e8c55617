package io.callboard.workflows.model;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Steps of one definition and type that workers run or are to run, or whose jobs are of a type that
 * no node has made yet.
 *
 * @param definition name of the definition
 * @param type what they run; {@code job:} and the type of jobs that no node has made
 * @param waiting number that wait for a worker, or for that type
 * @param running number that workers have
 * @param oldest how long the oldest one has waited; null if none waits
 * @param why why they wait; null if none waits
 */
public record QueueView(
    String definition,
    String type,
    int waiting,
    int running,
    @Nullable Duration oldest,
    @Nullable String why) {
  private static final Comparator<QueueView> OLDEST_FIRST =
      Comparator.comparing(
          QueueView::oldest, Comparator.nullsLast(Comparator.<Duration>reverseOrder()));

  /**
   * Returns one queue for each definition and type of some queues: with the numbers of all, and why
   * the oldest waits. The one that has waited longest comes first.
   */
  public static List<QueueView> merged(Stream<QueueView> queues) {
    Map<List<String>, QueueView> merged = new HashMap<>();
    queues.forEach(
        its -> merged.merge(List.of(its.definition, its.type), its, QueueView::together));
    return merged.values().stream().sorted(OLDEST_FIRST).toList();
  }

  private static QueueView together(QueueView one, QueueView other) {
    QueueView first = OLDEST_FIRST.compare(one, other) <= 0 ? one : other;
    return new QueueView(
        first.definition,
        first.type,
        one.waiting + other.waiting,
        one.running + other.running,
        first.oldest,
        first.why);
  }
}
