package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.BlobRef;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceChange;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowWhy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers of an instance's actor. */
public sealed interface InstanceAnswer {
  /**
   * Current state of the instance.
   *
   * @param instance the instance
   */
  record Is(Instance instance) implements InstanceAnswer {}

  /**
   * Why the instance is where it is.
   *
   * @param why the reasons
   */
  record Reasons(WorkflowWhy why) implements InstanceAnswer {}

  /**
   * Timeline of the instance.
   *
   * @param changes its changes, the oldest first
   */
  record Changes(List<InstanceChange> changes) implements InstanceAnswer {
    /** Copies the list. */
    public Changes {
      changes = List.copyOf(changes);
    }
  }

  /**
   * Output of a step that has succeeded.
   *
   * @param output its output; null for none, or if that is by reference
   * @param blob where its large output is; null for none
   */
  record Output(@Nullable JsonNode output, @Nullable BlobRef blob) implements InstanceAnswer {}

  /**
   * Answer whether a run is open.
   *
   * @param open false if it has been settled, so that nobody waits for it
   */
  record Open(boolean open) implements InstanceAnswer {}

  /**
   * Answer whether an instance was removed for the retention.
   *
   * @param gone false if it has changed, and stays
   */
  record Expired(boolean gone) implements InstanceAnswer {}

  /**
   * Refusal of a command.
   *
   * @param code kind of refusal
   * @param message reason, for people
   * @param pointer JSON pointer of the field that is invalid; null or empty for none
   */
  record Refused(WorkflowException.Code code, String message, @Nullable String pointer)
      implements InstanceAnswer {
    /** Returns a refusal that is not due to a field. */
    public static Refused of(WorkflowException.Code code, String message) {
      return new Refused(code, message, null);
    }

    /** Returns the refusal of a command to an instance that does not exist. */
    public static Refused noInstance(String id) {
      return of(WorkflowException.Code.NOT_FOUND, "there is no instance %s".formatted(id));
    }
  }
}
