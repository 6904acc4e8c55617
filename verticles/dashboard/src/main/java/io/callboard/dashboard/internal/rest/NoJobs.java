package io.callboard.dashboard.internal.rest;

import io.callboard.dashboard.internal.contract.Contract;
import io.callboard.dashboard.internal.contract.Contract.Operation;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.model.CellModel;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The operations on jobs, types and hosts of job runs, of a node without a job scheduler. */
public final class NoJobs {
  private static final List<String> PATHS = List.of("/jobs", "/job-actions", "/types", "/limits");
  private static final String HOSTS = "listHosts";

  private NoJobs() {}

  /** Returns handlers by the id of their operation, which answer 404. */
  public static Map<String, Handler> handlers(Contract contract) {
    return contract.operations().stream()
        .filter(NoJobs::isOfJobs)
        .collect(Collectors.toMap(Operation::id, operation -> call -> refused()));
  }

  private static boolean isOfJobs(Operation operation) {
    return operation.id().equals(HOSTS)
        || PATHS.stream()
            .anyMatch(
                path -> operation.path().equals(path) || operation.path().startsWith(path + "/"));
  }

  private static <T> Future<T> refused() {
    return Future.failedFuture(ProblemException.notFound(CellModel.NO_JOBS));
  }
}
