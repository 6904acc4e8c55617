package io.callboard.workflows.internal.protocol;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Answers of the desk. */
public sealed interface DeskAnswer {
  /**
   * Answers to requests, in their order.
   *
   * @param epoch epoch of the desk
   * @param answers one for each request
   */
  record Requested(long epoch, List<RequestAnswer> answers) implements DeskAnswer {
    /** Copies the answers. */
    public Requested {
      answers = List.copyOf(answers);
    }
  }

  /**
   * Cancellations are known, or refused and to be repeated.
   *
   * @param epoch epoch of the desk; null from one of an earlier version. 0 if they are refused: a
   *     node of an earlier version repeats them then, as after the answer of a replaced desk
   * @param refused why they are refused, for people; null if they are not, also from an earlier
   *     version
   */
  record Known(@Nullable Long epoch, @Nullable String refused) implements DeskAnswer {}

  /**
   * Places of the runs of an instance.
   *
   * @param places one for each run that the desk knows
   */
  record Places(List<RunPlace> places) implements DeskAnswer {
    /** Copies the places. */
    public Places {
      places = List.copyOf(places);
    }
  }

  /**
   * Workers and queues.
   *
   * @param epoch epoch of the desk
   * @param awaits names of the nodes whose workers have not reported to this desk yet, so that it
   *     assigns nothing
   * @param workers the workers
   * @param queues the queues
   */
  record Overview(long epoch, List<String> awaits, List<Worker> workers, List<Queue> queues)
      implements DeskAnswer {
    /** Copies the lists. */
    public Overview {
      awaits = List.copyOf(awaits);
      workers = List.copyOf(workers);
      queues = List.copyOf(queues);
    }
  }

  /**
   * A worker, as the desk knows it.
   *
   * @param id who it is
   * @param types what it runs
   * @param slots number of runs that it takes at once, in its zones of handlers too
   * @param running runs that it was given, by definition
   * @param draining whether it takes no more runs
   * @param silence time since it was heard
   * @param member whether its node is in the cell
   */
  record Worker(
      WorkerId id,
      Set<String> types,
      int slots,
      Map<String, Integer> running,
      boolean draining,
      Duration silence,
      boolean member) {
    /** Copies types and runs. */
    public Worker {
      types = Set.copyOf(types);
      running = Map.copyOf(running);
    }
  }

  /**
   * Runs of one definition and type.
   *
   * @param definition name of the definition
   * @param type what they run
   * @param waiting number that wait
   * @param running number that workers have
   * @param oldest how long the oldest one has waited; null if none waits
   * @param why why they wait; null if none waits
   */
  record Queue(
      String definition,
      String type,
      int waiting,
      int running,
      @Nullable Duration oldest,
      @Nullable String why) {}
}
