package io.callboard.dashboard.internal.rest;

import io.callboard.dashboard.internal.contract.Contract;
import io.callboard.dashboard.internal.contract.Contract.Operation;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.vertx.core.Future;
import java.util.Map;
import java.util.stream.Collectors;

/** The operations on sources, of a node that takes no part in them. */
public final class NoSources {
  /** Sentence for whoever asks such a node for sources. */
  public static final String NO_SOURCES =
      "this node takes no part in sources: its application started none";

  private NoSources() {}

  /** Returns handlers by the id of their operation, which answer 404. */
  public static Map<String, Handler> handlers(Contract contract) {
    return contract.operations().stream()
        .filter(each -> (each.path() + "/").startsWith("/sources/"))
        .collect(Collectors.toMap(Operation::id, operation -> call -> refused()));
  }

  private static <T> Future<T> refused() {
    return Future.failedFuture(ProblemException.notFound(NO_SOURCES));
  }
}
