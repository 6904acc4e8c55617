package io.callboard;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Factory and registry of nodes: the one seam between this API and its implementation, which {@link
 * ServiceLoader} finds. Programs use {@link Callboard#create} and {@link Callboard#find}.
 * Thread-safe.
 *
 * @hidden for the toolkit alone
 */
public interface NodeFactory {
  /** See {@link Callboard#create}. */
  Future<Callboard> create(Vertx vertx, CallboardOptions options);

  /** See {@link Callboard#find}. */
  Optional<Callboard> find(Vertx vertx);

  /**
   * Returns the implementation on the class path.
   *
   * @throws IllegalStateException if there is none
   */
  static NodeFactory loaded() {
    return Loaded.FACTORY;
  }

  /** Holder that loads the implementation once, at its first use. */
  final class Loaded {
    private static final NodeFactory FACTORY =
        ServiceLoader.load(NodeFactory.class, NodeFactory.class.getClassLoader())
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "no implementation of io.callboard.NodeFactory is on the class path: add"
                            + " callboard-core, and merge META-INF/services where jars are"
                            + " merged"));

    private Loaded() {}
  }
}
