package io.callboard.internal.node;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.NodeFactory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;

/** Implementation of the {@code NodeFactory} of the API, named in {@code META-INF/services}. */
public final class NodeProvider implements NodeFactory {
  @Override
  public Future<Callboard> create(Vertx vertx, CallboardOptions options) {
    return CallboardImpl.create(vertx, options);
  }

  @Override
  public Optional<Callboard> find(Vertx vertx) {
    return CallboardImpl.find(vertx);
  }
}
