package io.callboard.dashboard.internal.rest;

import io.callboard.dashboard.internal.contract.Contract;
import io.callboard.dashboard.internal.contract.Contract.Operation;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The operations on workflows, of a node without a workflow engine. */
public final class NoWorkflows {
  /** Sentence for whoever asks such a node for workflows. */
  public static final String NO_WORKFLOWS =
      "this node has no workflow engine: its application started none";

  private static final List<String> PATHS =
      List.of("/workflows", "/workflow-actions", "/workflow-definitions", "/workers", "/schemas");

  private NoWorkflows() {}

  /** Returns handlers by the id of their operation, which answer 404. */
  public static Map<String, Handler> handlers(Contract contract) {
    return contract.operations().stream()
        .filter(NoWorkflows::isOfWorkflows)
        .collect(Collectors.toMap(Operation::id, operation -> call -> refused()));
  }

  private static boolean isOfWorkflows(Operation operation) {
    return PATHS.stream()
        .anyMatch(path -> operation.path().equals(path) || operation.path().startsWith(path + "/"));
  }

  private static <T> Future<T> refused() {
    return Future.failedFuture(ProblemException.notFound(NO_WORKFLOWS));
  }
}
