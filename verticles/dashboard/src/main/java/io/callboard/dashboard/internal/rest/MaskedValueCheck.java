package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.dashboard.internal.contract.Fault;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.model.MaskedJson;
import io.callboard.jobs.model.Masked;
import java.util.List;
import java.util.Optional;

/** Checks that submitted values are not masked secrets that were copied from an answer. Pure. */
final class MaskedValueCheck {
  private MaskedValueCheck() {}

  /**
   * Returns the first place with a masked secret; empty if there is none.
   *
   * @param pointer JSON pointer to {@code submitted} in the body
   */
  static Optional<Fault> fault(String pointer, JsonNode submitted) {
    return MaskedJson.place(submitted)
        .map(
            place ->
                new Fault(
                    pointer + place,
                    "has %s, which stands for a secret that is not shown: give the secret itself"
                        .formatted(Masked.VALUE)));
  }

  /**
   * Checks a submitted value.
   *
   * @throws ProblemException of kind {@code INVALID} if it has what stands for a secret
   */
  static void check(String pointer, JsonNode submitted) {
    fault(pointer, submitted)
        .ifPresent(
            fault -> {
              throw ProblemException.invalid(List.of(fault));
            });
  }
}
