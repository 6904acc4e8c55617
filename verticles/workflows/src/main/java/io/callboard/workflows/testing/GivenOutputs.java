package io.callboard.workflows.testing;

import io.callboard.Blobs;
import io.callboard.codecs.BlobRef;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/** Large outputs of steps that a test gives or a handler returns, in memory. Immutable. */
record GivenOutputs(List<byte[]> contents) implements Blobs {
  static final GivenOutputs NONE = new GivenOutputs(List.of());

  /** Returns these outputs and one more. */
  GivenOutputs with(byte[] content) {
    List<byte[]> all = new ArrayList<>(contents);
    all.add(content);
    return new GivenOutputs(List.copyOf(all));
  }

  /** Returns the reference to the last output. */
  BlobRef last() {
    int last = contents.size() - 1;
    return BlobRef.of(last + BlobRef.KEPT, contents.get(last), 1 << 20);
  }

  @Override
  public Future<BlobRef> write(String owner, byte[] content) {
    return Future.succeededFuture(with(content).last());
  }

  @Override
  public Future<byte[]> read(String owner, BlobRef blob) {
    String number = blob.id().substring(0, blob.id().length() - BlobRef.KEPT.length());
    return Future.succeededFuture(contents.get(Integer.parseInt(number)));
  }

  @Override
  public Future<Void> remove(String owner, BlobRef blob) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Integer> removeAll(String owner) {
    return Future.succeededFuture(0);
  }
}
