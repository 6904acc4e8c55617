package io.callboard.workflows.internal.protocol;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands of the desk, the volatile child of the worker registry. */
public sealed interface DeskCommand {
  /**
   * Requests runs; answered with {@link DeskAnswer.Requested}, one answer for each in their order.
   *
   * @param requests the requests of one node
   */
  record Request(List<StepRequest> requests) implements DeskCommand {
    /** Copies the requests. */
    public Request {
      requests = List.copyOf(requests);
    }
  }

  /**
   * Asks that runs end; answered with {@link DeskAnswer.Known}.
   *
   * @param runs the runs
   */
  record Cancel(List<StepRunKey> runs) implements DeskCommand {
    /** Copies the runs. */
    public Cancel {
      runs = List.copyOf(runs);
    }
  }

  /**
   * News of a worker, in their order.
   *
   * @param epoch epoch of the desk that they are for; 0 if the worker knows none yet
   * @param worker who sends them
   * @param seq number of these news among those of this life of the worker
   * @param news the news
   */
  record News(long epoch, WorkerId worker, long seq, List<WorkerNews> news) implements DeskCommand {
    /** Copies the news. */
    public News {
      news = List.copyOf(news);
    }
  }

  /**
   * Asks where the runs of an instance are; answered with {@link DeskAnswer.Places}.
   *
   * @param instance id of the instance
   */
  record Look(String instance) implements DeskCommand {}

  /** Asks for workers and queues; answered with {@link DeskAnswer.Overview}. */
  record Survey() implements DeskCommand {}

  /**
   * Sets the workers that are drained and the weights of definitions.
   *
   * @param drained names of nodes
   * @param weights weights by definition, instead of those of the requests
   */
  record Configure(List<String> drained, Map<String, Integer> weights) implements DeskCommand {
    /** Copies both. */
    public Configure {
      drained = List.copyOf(drained);
      weights = Map.copyOf(weights);
    }
  }

  /**
   * Outcome of a request to make the boots of workers durable: these lives of them may be given
   * runs.
   *
   * @param boots boot ids
   * @param lives the lives that were enrolled; null from an older version, which has none
   * @param present epoch of the present desk if the request was refused because of that; null if it
   *     was not, also from an older version
   */
  record Enrolled(List<String> boots, @Nullable List<WorkerId> lives, @Nullable Long present)
      implements DeskCommand {
    /** Copies both. */
    public Enrolled {
      boots = List.copyOf(boots);
      lives = lives == null ? null : List.copyOf(lives);
    }

    /** Creates the report that these workers were enrolled. */
    public static Enrolled of(List<WorkerId> lives) {
      return new Enrolled(lives.stream().map(WorkerId::boot).toList(), lives, null);
    }

    /** Returns the report that none is, as the desk of that epoch is the present one. */
    public static Enrolled refused(long present) {
      return new Enrolled(List.of(), List.of(), present);
    }

    /** Returns the lives; none if they are not known. */
    public List<WorkerId> known() {
      return lives == null ? List.of() : lives;
    }
  }

  /**
   * Current live nodes.
   *
   * @param boots their boot ids; null if they could not be read
   * @param draining names of those that are to be emptied; null for none
   */
  record Members(@Nullable List<String> boots, @Nullable List<String> draining)
      implements DeskCommand {}

  /**
   * Epochs in which instances have their present owners.
   *
   * @param partitions number of partitions of their space
   * @param epochs epochs by number of the partition; null if they could not be read
   */
  record Owners(int partitions, @Nullable Map<Integer, Long> epochs) implements DeskCommand {
    /** Copies the epochs. */
    public Owners {
      epochs = epochs == null ? null : Map.copyOf(epochs);
    }
  }

  /**
   * Outcome of a report of the desk to an instance.
   *
   * @param run the run
   * @param durable whether the instance knows it for good
   */
  record Reported(StepRunKey run, boolean durable) implements DeskCommand {}

  /** Message of the desk to itself: the orders that were collected are to be sent. */
  record Flush() implements DeskCommand {}

  /** Periodic message of the desk to itself. */
  record Tick() implements DeskCommand {}
}
