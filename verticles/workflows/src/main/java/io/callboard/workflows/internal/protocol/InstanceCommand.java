package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.BlobRef;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands of the actor of one instance. */
public sealed interface InstanceCommand {
  /**
   * Creates the instance; answered with it, also if it exists already.
   *
   * @param id id of the instance
   * @param definition name of the definition
   * @param version version of the definition, which the instance keeps; null for the current one
   * @param input its input
   * @param priority 0 to 9, higher first
   * @param labels labels for people and filters
   * @param uniqueKey key that only one instance which has not ended can hold; null for none
   * @param parent the step that it runs for; null for none
   * @param at time of the request
   * @param listener path of the durable actor to which its ends are told; null for none
   */
  record Start(
      String id,
      String definition,
      @Nullable String version,
      JsonNode input,
      int priority,
      Map<String, String> labels,
      @Nullable String uniqueKey,
      @Nullable ParentStep parent,
      Instant at,
      @Nullable String listener)
      implements InstanceCommand {
    /** Copies the labels. */
    public Start {
      labels = Map.copyOf(labels);
    }

    /** Returns what the instance is created with. */
    public InstanceSpec spec(String itsVersion, Instant now) {
      return new InstanceSpec(
          id, definition, itsVersion, input, priority, labels, uniqueKey, parent, now, listener);
    }
  }

  /** Permit to begin, for an instance that waits for one. */
  record Begin() implements InstanceCommand {}

  /** Asks for the instance; answered with it. */
  record Look() implements InstanceCommand {}

  /** Asks why the instance is where it is; answered with the reasons. */
  record Why() implements InstanceCommand {}

  /**
   * Asks for the output of a step; answered with it, or where it is.
   *
   * @param step id of the step
   */
  record GetOutput(String step) implements InstanceCommand {}

  /**
   * Asks whether a run is open; answered with that. It is not if it was settled, if there is a
   * later one, and if there is no such instance.
   *
   * @param step id of the step
   * @param run number of the run
   */
  record IsOpen(String step, int run) implements InstanceCommand {}

  /** Asks for the timeline of the instance; answered with its changes. */
  record Timeline() implements InstanceCommand {}

  /**
   * Report that a run has ended. A run that is not the present one of its step is ignored.
   *
   * @param step id of the step
   * @param run number of the run
   * @param outcome how it ended
   * @param worker name of the worker that ran it; null if none did
   * @param at time of the end, by the clock of the reporter
   */
  record Done(String step, int run, StepOutcome outcome, @Nullable String worker, Instant at)
      implements InstanceCommand {}

  /**
   * Report that the job of a run has ended.
   *
   * @param step id of the step; empty if it is the job of no step
   * @param run number of the run
   * @param outcome how it ended
   * @param job id of the job
   * @param at time of the end, by the clock of the job's node
   */
  record JobDone(String step, int run, StepOutcome outcome, String job, Instant at)
      implements InstanceCommand {}

  /**
   * Report that the job or sub-workflow of a step has ended, with an output that the instance is to
   * adopt: it is large, or has parts that are by reference.
   *
   * @param step id of the step
   * @param run number of the run
   * @param outcome how it ended, with what is not by reference
   * @param child id of the instance that ran it, which has the references, or of the job
   * @param large where the large outputs of that instance are, by id of its step
   * @param job id of the job that ran it; null if none did
   * @param at time of the end, by the clock of its node
   */
  record Adopt(
      String step,
      int run,
      StepOutcome outcome,
      String child,
      Map<String, BlobRef> large,
      @Nullable String job,
      Instant at)
      implements InstanceCommand {
    /** Copies the map. */
    public Adopt {
      large = Map.copyOf(large);
    }
  }

  /**
   * Report that a run does not run and never will, with an unknown outcome.
   *
   * @param step id of the step
   * @param run number of the run
   * @param cause why, for people
   * @param at time of the report
   */
  record Lost(String step, int run, String cause, Instant at) implements InstanceCommand {}

  /**
   * Cancels the instance; answered with it.
   *
   * @param at time of the request
   * @param forcedBy who cancels finally steps and compensation, too; null to let them run
   */
  record Cancel(Instant at, @Nullable String forcedBy) implements InstanceCommand {}

  /**
   * Runs again the steps that failed, were cancelled or undone, and all that follow them; answered
   * with the instance.
   *
   * @param at time of the request
   */
  record Retry(Instant at) implements InstanceCommand {}

  /**
   * Runs a step again, with all that follow it and those that were cancelled or undone; answered
   * with the instance.
   *
   * @param step id of the step
   * @param at time of the request
   */
  record Rerun(String step, Instant at) implements InstanceCommand {}

  /**
   * Deletes the instance, which must have ended; answered with the instance as it was.
   *
   * @param at time of the request
   */
  record Delete(Instant at) implements InstanceCommand {}

  /**
   * Deletes the instance if it has ended and has not changed since; answered with whether it is
   * gone.
   *
   * @param change number of its last change, as it is known to the retention
   */
  record Expire(long change) implements InstanceCommand {}

  /** Reminder of the instance to itself that its timeout may have passed. */
  record Overdue() implements InstanceCommand {}

  /**
   * Reminder of the instance to itself of due retries, unanswered requests, and decisions that are
   * left.
   */
  record Continue() implements InstanceCommand {}
}
