package io.callboard.internal.lifecycle;

import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.deployment.DeploymentContext;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an actor deployed in one of its lives; ends with that. Thread-safe. */
final class ChildDeployments {
  private @Nullable Set<DeploymentContext> children;
  private boolean closed;

  /** Whether it was taken: not once that life ends. */
  synchronized boolean add(DeploymentContext child) {
    if (closed) {
      return false;
    } else if (children == null) {
      children = new HashSet<>();
    }
    return children.add(child);
  }

  synchronized boolean remove(DeploymentContext child) {
    return children != null && children.remove(child);
  }

  /** Whether nothing is left to be ended. */
  synchronized boolean isEmpty() {
    return children == null || children.isEmpty();
  }

  /** Takes nothing more, and ends what is there. */
  Future<Void> end(ContextInternal by) {
    List<DeploymentContext> all;
    synchronized (this) {
      closed = true;
      all = children == null ? List.of() : List.copyOf(children);
    }
    return all.isEmpty()
        ? Future.succeededFuture()
        : Future.join(all.stream().map(each -> each.undeploy(by)).toList()).mapEmpty();
  }
}
