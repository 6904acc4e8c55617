package io.callboard.workflows.internal.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands of the worker registry. */
public sealed interface WorkersCommand {
  /**
   * A desk starts; answered with {@link WorkersAnswer.Opened} and its epoch.
   *
   * @param master life of the worker registry whose child it is, no other one opens it; null from a
   *     node of an earlier version
   */
  record Open(@Nullable String master) implements WorkersCommand {}

  /**
   * Makes boots of workers durable, before they are given runs; answered with {@link
   * WorkersAnswer.Done}, or refused with the present epoch if another desk has taken over.
   *
   * @param epoch epoch of the desk
   * @param workers the workers
   * @param number number of the request, of those of this desk; null from an older version
   */
  record Enroll(long epoch, List<WorkerId> workers, @Nullable Long number)
      implements WorkersCommand {
    /** Copies the workers. */
    public Enroll {
      workers = List.copyOf(workers);
    }
  }

  /**
   * Forgets boots of workers, which are gone with all their runs; ignored if another desk has taken
   * over, and for a boot that a later request has made durable: it came back, and may have runs.
   *
   * @param epoch epoch of the desk
   * @param boots boot ids
   * @param number number of the request, of those of this desk; null from an older version
   */
  record Forget(long epoch, List<String> boots, @Nullable Long number) implements WorkersCommand {
    /** Copies the boots. */
    public Forget {
      boots = List.copyOf(boots);
    }
  }

  /**
   * Drains the worker of a node, or lets it take runs again; answered with {@link
   * WorkersAnswer.Done}.
   *
   * @param node name of the node
   * @param drained true to drain
   */
  record Drain(String node, boolean drained) implements WorkersCommand {}

  /**
   * Sets the weight of a definition; answered with {@link WorkersAnswer.Done}.
   *
   * @param definition name of the definition
   * @param weight 1 to 1,000; 0 for that of the definition itself
   */
  record Weigh(String definition, int weight) implements WorkersCommand {}
}
