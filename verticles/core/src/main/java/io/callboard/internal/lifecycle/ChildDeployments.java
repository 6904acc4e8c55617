package io.callboard.internal.lifecycle;

import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.deployment.DeploymentContext;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Vert.x deployments that an actor made in one of its lives; they end with that life. Thread-safe.
 */
final class ChildDeployments {
  private @Nullable Set<DeploymentContext> children;
  private boolean closed;

  /** Adds a deployment; false once the life ends. */
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

  /** Returns whether no deployment is left. */
  synchronized boolean isEmpty() {
    return children == null || children.isEmpty();
  }

  /** Refuses further deployments, and undeploys the present ones. */
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
