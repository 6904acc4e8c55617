package io.callboard.workflows.internal.instance;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Blobs;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.time.Machine;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRecord;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the outputs of an instance against their limits, and tells which of them are large. */
@Machine
public final class OutputCheck {
  /** Maximum size as JSON of an output that is in the instance; a larger one is by reference. */
  public static final int MOST_OUTPUT = 24 * 1024;

  /** Maximum size as JSON of all outputs that are in an instance. */
  public static final int MOST_OUTPUTS = 256 * 1024;

  /** Maximum size of an output as JSON. */
  public static final int MOST_LARGE = Blobs.MOST_BYTES;

  /** Maximum size as JSON of all outputs of an instance that are by reference. */
  public static final int MOST_LARGE_OUTPUTS = 64 << 20;

  private OutputCheck() {}

  /** Returns the outcome, or a failure for good if the output is over its limits. */
  static StepOutcome checked(InstanceData data, String step, StepOutcome outcome) {
    BlobRef blob = outcome.blob();
    int bytes;
    try {
      bytes = json(step, outcome.output()).length;
    } catch (CodecException e) { // reported by a node of an older version
      return StepOutcome.failedForGood(String.valueOf(e.getMessage()));
    }
    long all = data.outputBytes() + bytes;
    long large = blob == null ? 0 : blob.bytes() + largeBytes(data);
    if (bytes > MOST_OUTPUT) {
      return StepOutcome.failedForGood(
          "the output of step %s has %,d bytes as JSON and was not stored by reference: the node that ran it has an older version"
              .formatted(step, bytes));
    } else if (all > MOST_OUTPUTS) {
      return StepOutcome.failedForGood(
          "with the output of step %s, %,d bytes, the outputs of the instance have %,d bytes; the limit is %,d: keep large data elsewhere and return a reference"
              .formatted(step, bytes, all, MOST_OUTPUTS));
    } else if (blob != null && large > MOST_LARGE_OUTPUTS) {
      return StepOutcome.failedForGood(
          "with the output of step %s, %,d bytes, the large outputs of the instance have %,d bytes; the limit is %,d: keep large data elsewhere and return a reference"
              .formatted(step, blob.bytes(), large, MOST_LARGE_OUTPUTS));
    }
    return outcome;
  }

  private static long largeBytes(InstanceData data) {
    return blobs(data).stream().mapToLong(BlobRef::bytes).sum();
  }

  /** Returns the error of a step whose output is over the limit of all. */
  public static String tooLarge(String step, long bytes) {
    return "the output of step %s has %,d bytes as JSON; the limit is %,d: keep large data elsewhere and return a reference"
        .formatted(step, bytes, MOST_LARGE);
  }

  /**
   * Returns an output as JSON; empty for none. To be called where it comes into being: what is over
   * a limit of JSON could be reported, and not be read.
   *
   * @throws CodecException if it is no data that could be read back
   */
  public static byte[] json(String step, @Nullable JsonNode output) {
    return isNone(output)
        ? new byte[0]
        : Json.data("the output of step " + step, Objects.requireNonNull(output));
  }

  /** Returns the size of an output as JSON, without the check of {@link #json}. */
  public static int bytes(@Nullable JsonNode output) {
    return isNone(output) ? 0 : Json.uncheckedBytes(Objects.requireNonNull(output)).length;
  }

  private static boolean isNone(@Nullable JsonNode output) {
    return output == null || output.isNull();
  }

  /** Returns the references to the large outputs of an instance. */
  public static Set<BlobRef> blobs(InstanceData data) {
    Set<BlobRef> blobs = new LinkedHashSet<>();
    for (StepRecord step : data.steps().asMap().values()) {
      if (step.blob() != null) {
        blobs.add(step.blob());
      }
    }
    return blobs;
  }

  /**
   * Returns whether large outputs of an instance may exist, including unreferenced ones of failed
   * or repeated runs.
   */
  public static boolean mayHaveLarge(InstanceData data) {
    return data.steps().asMap().values().stream()
        .anyMatch(
            step ->
                step.blob() != null
                    || step.run() > 1
                    || (step.run() > 0 && step.state() != StepState.SUCCEEDED));
  }
}
