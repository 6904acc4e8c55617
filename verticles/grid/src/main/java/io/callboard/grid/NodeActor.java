package io.callboard.grid;

import io.callboard.DurableStateActor;
import io.callboard.Leases;
import io.callboard.Protocol;
import io.callboard.codecs.Partition;
import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the grid remembers of one node: a role that only this node offers, so that what an operator
 * wants of a node that is away is done when it is back.
 */
final class NodeActor extends DurableStateActor<NodeCommand, NodeActor.NodeState> {
  /** How the roles of nodes begin. */
  static final String PREFIX = "node@";

  private static final Logger log = LoggerFactory.getLogger(NodeActor.class);

  private final Leases leases;

  record NodeState(boolean draining) {}

  NodeActor(Leases leases) {
    this.leases = leases;
  }

  /** The role of the node of that name. */
  static String role(String node) {
    return PREFIX + node.replace(':', '='); // which a path may hold
  }

  @Override
  protected NodeState initial() {
    return new NodeState(false);
  }

  @Override
  protected Future<?> started() {
    return state().draining() ? leases.drain(true) : Future.succeededFuture();
  }

  @Override
  protected void protocol(Protocol<NodeCommand> on) {
    on.message(NodeCommand.Drain.class, this::drain)
        .message(NodeCommand.HandOver.class, this::handOver);
  }

  private void drain(NodeCommand.Drain wish) {
    update(new NodeState(wish.draining()));
    afterCommit(
        () ->
            leases
                .drain(wish.draining())
                .onFailure(cause -> log.info("this node closes before it drains", cause)));
  }

  private void handOver(NodeCommand.HandOver wish) {
    Partition role = Partition.ofRole(wish.role());
    leases
        .handOver(role, wish.epoch())
        .onFailure(cause -> log.info("{} is not handed over: {}", wish.role(), cause.getMessage()));
  }
}
