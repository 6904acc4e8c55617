package io.callboard.workflows.internal.dispatch;

import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Requests that a node has kept of instances which others own by now: it was cut off for longer
 * than its session, lives on, and never learns that. It repeats them to each new desk until one
 * says that they are outdated.
 */
final class KeptRequests {
  private final PlayedWorker node;
  private final Map<StepRunKey, StepRequest> requests = new TreeMap<>();
  private long told;

  KeptRequests(PlayedWorker node) {
    this.node = node;
  }

  void add(StepRequest request) {
    requests.put(
        request.key(),
        request.sent(Objects.requireNonNull(request.owner()), true, request.given()));
  }

  void clear() {
    requests.clear();
  }

  /** Repeats them to a desk of which the node has not known. */
  void pass() {
    if (node.isInTouch() && node.knownEpoch > told && !requests.isEmpty()) {
      told = node.knownEpoch;
      List.copyOf(requests.values()).forEach(this::repeat);
    }
  }

  private void repeat(StepRequest request) {
    node.world.repeat(
        node,
        request,
        answer -> {
          if (answer instanceof RequestAnswer.Outdated) {
            requests.remove(request.key(), request);
          }
        });
  }
}
