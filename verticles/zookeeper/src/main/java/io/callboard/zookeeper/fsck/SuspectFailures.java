package io.callboard.zookeeper.fsck;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.zookeeper.fsck.FsckFinding.Kind;
import io.callboard.zookeeper.internal.client.BlockingReads;
import io.callboard.zookeeper.internal.layout.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.GetDataResult;

/** Stored failures of an actor that may be gone. */
record SuspectFailures(Layout layout, ActorPath actor) implements Anomaly.Suspect {

  @Override
  public Optional<Anomaly> examine(BlockingReads cell) {
    Partition partition = actor.partition(layout.partitions());
    String path = layout.failures(actor);
    String lease = layout.lease(partition);
    List<OpResult> seen =
        cell.readAll(
            List.of(
                Op.getData(layout.record(actor)),
                Op.getData(path),
                Op.getData(lease),
                Op.getData(layout.records(partition))));
    if (seen.get(0) instanceof GetDataResult || !(seen.get(1) instanceof GetDataResult)) {
      return Optional.empty();
    }
    List<Op> repair = new ArrayList<>();
    if (seen.get(2) instanceof GetDataResult owned) {
      repair.add(Op.check(lease, owned.getStat().getVersion()));
    } else {
      repair.addAll(Anomaly.absent(lease, cell.handle().acl()));
    }
    boolean hasRecords = seen.get(3) instanceof GetDataResult;
    String record = hasRecords ? layout.record(actor) : layout.records(partition);
    repair.addAll(Anomaly.absent(record, cell.handle().acl()));
    repair.add(Op.delete(path, -1));
    return Optional.of(
        new Anomaly(
            Kind.FAILURES_WITHOUT_RECORD,
            path,
            "%s has no record, but a history of failures".formatted(actor),
            "delete the history",
            List.of(repair)));
  }
}
