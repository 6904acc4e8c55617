package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** News of a worker for the desk; several travel in one {@link DeskCommand.News}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
  @JsonSubTypes.Type(value = WorkerNews.Hello.class, name = "hello"),
  @JsonSubTypes.Type(value = WorkerNews.Accepted.class, name = "accepted"),
  @JsonSubTypes.Type(value = WorkerNews.Ended.class, name = "ended"),
  @JsonSubTypes.Type(value = WorkerNews.Settled.class, name = "settled"),
  @JsonSubTypes.Type(value = WorkerNews.Revoked.class, name = "revoked"),
  @JsonSubTypes.Type(value = WorkerNews.Bye.class, name = "bye")
})
public sealed interface WorkerNews {
  /** State of a revoked run at its worker. */
  enum Revocation {
    /** Revocation of a run that was never begun here, and by this assignment never will be. */
    NEVER_BEGAN,
    /**
     * Revocation of a run that began, does not run any more, and of which nobody knows how it
     * ended.
     */
    LOST
  }

  /**
   * All that the worker offers and holds; it holds no other run. Sent at the start, to each new
   * desk, after changes and at intervals.
   *
   * @param slots number of runs that it takes at once, without those in zones of handlers; 0 while
   *     it takes none
   * @param types what it runs, as {@link StepRequest#type} names it, with the major version; also
   *     what it runs in those of its zones of handlers that are not full and do not rest
   * @param held its runs
   * @param draining whether it takes no runs because it is drained
   * @param zones what it offers in zones of handlers; null for none, also from a worker of an
   *     earlier version
   * @param trouble why its own slots are 0 though it is not drained, for people, such as that its
   *     node has lost contact; null if they are not, or it is not known
   */
  record Hello(
      int slots,
      Set<String> types,
      List<HeldRun> held,
      boolean draining,
      @Nullable List<ZoneSlots> zones,
      @Nullable String trouble)
      implements WorkerNews {
    /** Copies types, runs and zones. */
    public Hello {
      types = Set.copyOf(types);
      held = List.copyOf(held);
      zones = zones == null ? null : List.copyOf(zones);
    }
  }

  /**
   * A run was begun, or runs already.
   *
   * @param key the run
   * @param number number of the assignment
   */
  record Accepted(StepRunKey key, long number) implements WorkerNews {}

  /**
   * A run has ended; its instance does not know yet.
   *
   * @param key the run
   */
  record Ended(StepRunKey key) implements WorkerNews {}

  /**
   * A run has ended and its instance knows it.
   *
   * @param key the run
   */
  record Settled(StepRunKey key) implements WorkerNews {}

  /**
   * A run does not run here, and this assignment of it never begins.
   *
   * @param key the run
   * @param number number of the assignment
   * @param how whether it had begun
   * @param why why its instance does not let it begin, for people: the desk lets it rest for a
   *     while; null for another reason, or from a worker of an earlier version
   */
  record Revoked(StepRunKey key, long number, Revocation how, @Nullable String why)
      implements WorkerNews {}

  /** The worker has stopped in order: it holds no run, and takes none any more. */
  record Bye() implements WorkerNews {}
}
