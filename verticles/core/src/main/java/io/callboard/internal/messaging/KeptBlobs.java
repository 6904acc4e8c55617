package io.callboard.internal.messaging;

import io.callboard.Blobs;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.internal.context.NodeContext;
import io.callboard.store.BlobKey;
import io.callboard.store.Limits;
import io.vertx.core.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Contents that durable actors keep, through the transfers of this node. Thread-safe. */
public final class KeptBlobs implements Blobs {
  private final NodeContext node;
  private final BlobTransfers transfers;

  public KeptBlobs(NodeContext node, BlobTransfers transfers) {
    this.node = node;
    this.transfers = transfers;
  }

  @Override
  public Future<BlobRef> write(String owner, byte[] content) {
    return of(owner, () -> Limits.checkBlob(content), actor -> transfers.keep(actor, content));
  }

  @Override
  public Future<byte[]> read(String owner, BlobRef blob) {
    return of(owner, () -> check(blob), actor -> transfers.kept(new BlobKey(actor, blob)));
  }

  @Override
  public Future<Void> remove(String owner, BlobRef blob) {
    return of(owner, () -> check(blob), actor -> transfers.remove(new BlobKey(actor, blob)));
  }

  @Override
  public Future<Integer> removeAll(String owner) {
    return of(owner, () -> {}, transfers::release);
  }

  private static void check(BlobRef blob) {
    if (!blob.isKept()) {
      throw new IllegalArgumentException(
          "blob %s is not one that Blobs.write stored".formatted(blob.id()));
    }
  }

  private <T extends @Nullable Object> Future<T> of(
      String owner, Runnable check, Function<ActorPath, Future<T>> task) {
    ActorPath actor;
    try {
      actor = ActorPath.of(owner);
      check.run();
    } catch (NullPointerException | IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    return node.fromDurableContext(node.promises().here(), () -> task.apply(actor));
  }
}
