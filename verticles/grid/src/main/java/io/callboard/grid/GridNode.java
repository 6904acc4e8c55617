package io.callboard.grid;

import io.callboard.Actor;
import io.callboard.Leases;
import io.callboard.Protocol;
import io.callboard.codecs.Partition;

/** Does what an operator asks of this node. */
final class GridNode extends Actor<GridCommand> {
  private final Leases leases;

  GridNode(Leases leases) {
    this.leases = leases;
  }

  static String path(String boot) {
    return "/grid/" + boot;
  }

  @Override
  protected void protocol(Protocol<GridCommand> on) {
    on.async(
        GridCommand.HandOver.class,
        asked ->
            leases
                .handOver(Partition.ofRole(asked.role()))
                .onSuccess(done -> reply(new GridCommand.Done())));
  }
}
