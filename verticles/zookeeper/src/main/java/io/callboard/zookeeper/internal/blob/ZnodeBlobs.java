package io.callboard.zookeeper.internal.blob;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Json;
import io.callboard.store.BlobKey;
import io.callboard.store.BlobStore;
import io.callboard.store.Limits;
import io.callboard.store.StoreException;
import io.callboard.zookeeper.internal.client.Errors;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.client.RequestPermits;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.lease.LeaseStore;
import io.callboard.zookeeper.internal.session.NodeSession;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;

/**
 * Blob log in znodes: a small header, and below it the body in parts small enough for any packet.
 * The header's data version is 0 as long as no commit has named the blob.
 */
public final class ZnodeBlobs implements BlobStore {
  /** Size of each part but the last. */
  static final int PART_BYTES = 512 << 10;

  /** Parts under way to or from the ensemble, of all blobs of this node: 4 MiB. */
  private static final int PARTS_UNDER_WAY = 8;

  private static final int RELEASE_ATTEMPTS = 5;

  private final UnfinishedBlobs rests = new UnfinishedBlobs();
  private final NodeSession session;
  private final LeaseStore leases;
  private final AtomicLong written = new AtomicLong();
  private final RequestPermits requestPermits = new RequestPermits(PARTS_UNDER_WAY);

  public ZnodeBlobs(NodeSession session, LeaseStore leases) {
    this.session = session;
    this.leases = leases;
  }

  /** Content of a header, for people. */
  private record StoredBlob(int f, BlobRef blob) {
    static final int FORMAT = 1;
  }

  /** Returns the header znode's data for a blob. */
  public static byte[] header(BlobRef blob) {
    return Json.bytes(new StoredBlob(StoredBlob.FORMAT, blob));
  }

  /**
   * Operations that remove a blob with all its parts.
   *
   * @param version of the header; -1 for any
   */
  public static List<Op> deletes(String path, int parts, int version) {
    List<Op> deletes = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      deletes.add(Op.delete(path + "/" + part, -1));
    }
    deletes.add(Op.delete(path, version));
    return deletes;
  }

  private static <T> Future<T> translated(String what, Supplier<Future<T>> operation) {
    try {
      return operation.get().recover(cause -> Errors.translate(what, cause));
    } catch (StoreException e) {
      return Future.failedFuture(e);
    }
  }

  @Override
  public Future<BlobRef> write(ActorPath receiver, byte[] body) {
    return write(receiver, "", body);
  }

  @Override
  public Future<BlobRef> keep(ActorPath owner, byte[] content) {
    return write(owner, BlobRef.KEPT, content);
  }

  private Future<BlobRef> write(ActorPath receiver, String end, byte[] body) {
    Limits.checkBlob(body);
    return translated(
        "a blob of %s cannot be stored".formatted(receiver),
        () -> {
          BlobRef blob = BlobRef.of(newId() + end, body, PART_BYTES);
          String path = session.layout().blob(receiver, blob.id());
          Handle handle = session.handle();
          return header(handle, receiver, path, blob)
              .compose(made -> parts(handle, path, body, blob.parts()))
              .map(blob)
              .onFailure(cause -> rests.add(path))
              .onSuccess(whole -> rests.remove(handle));
        });
  }

  private String newId() {
    String boot = session.identity().bootId();
    return "%s.%s.%d"
        .formatted(
            session.identity().name(),
            boot.substring(0, Math.min(8, boot.length())).replaceAll("[^A-Za-z0-9]", "-"),
            written.incrementAndGet());
  }

  /** Creates the header, and the partition's parent, which older versions did not create. */
  private Future<Void> header(Handle handle, ActorPath receiver, String path, BlobRef blob) {
    byte[] data = header(blob);
    return handle
        .create(path, data, CreateMode.PERSISTENT)
        .recover(
            cause ->
                cause instanceof KeeperException.NoNodeException
                    ? leases
                        .parents(handle, receiver.partition(session.layout().partitions()))
                        .compose(made -> handle.create(path, data, CreateMode.PERSISTENT))
                    : Future.failedFuture(cause));
  }

  private Future<Void> parts(Handle handle, String path, byte[] body, int parts) {
    AtomicBoolean failed = new AtomicBoolean();
    List<Future<Void>> writes = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      int from = part * PART_BYTES;
      String name = path + "/" + part;
      writes.add(
          requestPermits
              .pass(
                  () ->
                      failed.get()
                          ? Future.<Void>failedFuture(new KeeperException.ConnectionLossException())
                          : handle.create(name, part(body, from), CreateMode.PERSISTENT))
              .onFailure(cause -> failed.set(true)));
    }
    return Future.all(writes).mapEmpty();
  }

  private static byte[] part(byte[] body, int from) {
    return Arrays.copyOfRange(body, from, Math.min(body.length, from + PART_BYTES));
  }

  @Override
  public Future<Integer> release(ActorPath owner) {
    return translated(
        "what %s keeps cannot be removed".formatted(owner),
        () -> {
          Handle handle = session.handle();
          String parent = session.layout().blobsOf(owner.partition(session.layout().partitions()));
          return handle
              .sync(session.layout().root())
              .compose(synced -> handle.children(parent))
              .compose(
                  names ->
                      release(
                          handle,
                          names.orElse(List.of()).stream()
                              .filter(name -> Layout.isKeptBlob(name, owner))
                              .map(name -> parent + "/" + name)
                              .toList()));
        });
  }

  private Future<Integer> release(Handle handle, List<String> paths) {
    Future<Void> done = Future.succeededFuture();
    for (String path : paths) { // one after the other: each is a request of up to 33 operations
      done = done.compose(before -> release(handle, path, 1));
    }
    return done.map(paths.size());
  }

  /** Removes a blob; looks again if its parts are being written or removed by somebody else. */
  private static Future<Void> release(Handle handle, String path, int attempt) {
    return handle
        .children(path)
        .compose(
            parts ->
                parts.isEmpty()
                    ? Future.<Void>succeededFuture()
                    : handle.multi(deletes(path, parts.get())).mapEmpty())
        .recover(
            cause ->
                cause instanceof Handle.Refused && attempt < RELEASE_ATTEMPTS
                    ? release(handle, path, attempt + 1)
                    : Future.failedFuture(cause));
  }

  private static List<Op> deletes(String path, List<String> parts) {
    List<Op> deletes = new ArrayList<>();
    parts.forEach(part -> deletes.add(Op.delete(path + "/" + part, -1)));
    deletes.add(Op.delete(path, -1));
    return deletes;
  }

  @Override
  public Future<byte[]> read(BlobKey key) {
    if (key.blob().bytes() > Limits.MESSAGE_BYTES) {
      return Future.failedFuture(
          StoreException.corrupt(
              "%s has %d bytes, at most %d are possible"
                  .formatted(key, key.blob().bytes(), Limits.MESSAGE_BYTES)));
    }
    return translated(
        key + " cannot be read",
        () ->
            readOnce(key)
                .compose(body -> body.isPresent() ? Future.succeededFuture(body) : readLate(key))
                .map(body -> body.orElseThrow(() -> notWhole(key))));
  }

  /** Reads again after a sync: the server may lag behind the one that the blob was written to. */
  private Future<Optional<byte[]>> readLate(BlobKey key) {
    return session.handle().sync(session.layout().root()).compose(synced -> readOnce(key));
  }

  private StoreException notWhole(BlobKey key) {
    return StoreException.corrupt(
        "%s is missing or incomplete, %d bytes in %d parts were written: see znode %s"
            .formatted(
                key,
                key.blob().bytes(),
                key.blob().parts(),
                session.layout().blob(key.receiver(), key.blob().id())));
  }

  /** Reads a blob once; empty if it is missing or incomplete. */
  private Future<Optional<byte[]>> readOnce(BlobKey key) {
    Handle handle = session.handle();
    String path = session.layout().blob(key.receiver(), key.blob().id());
    List<Future<Optional<Handle.Node>>> reads =
        IntStream.range(0, key.blob().parts())
            .mapToObj(part -> requestPermits.pass(() -> handle.get(path + "/" + part)))
            .toList();
    return Future.all(reads)
        .map(all -> joined(key.blob(), reads.stream().map(Future::result).toList()));
  }

  private static Optional<byte[]> joined(BlobRef blob, List<Optional<Handle.Node>> parts) {
    byte[] body = new byte[blob.bytes()];
    int end = 0;
    for (Optional<Handle.Node> part : parts) {
      byte[] data = part.map(Handle.Node::data).orElse(new byte[0]);
      if (data.length == 0 || data.length > body.length - end) {
        return Optional.empty();
      }
      System.arraycopy(data, 0, body, end, data.length);
      end += data.length;
    }
    return end == body.length && blob.fits(body) ? Optional.of(body) : Optional.empty();
  }

  @Override
  public Future<Boolean> isWhole(BlobKey key) {
    String path = session.layout().blob(key.receiver(), key.blob().id());
    return translated(
        key + " cannot be checked",
        () ->
            session
                .handle()
                .sync(session.layout().root())
                .compose(synced -> session.handle().exists(path, null))
                .map(
                    stat ->
                        stat.map(found -> found.getNumChildren() == key.blob().parts())
                            .orElse(false)));
  }

  @Override
  public Future<Void> forsake(BlobKey key) {
    String path = session.layout().blob(key.receiver(), key.blob().id());
    return translated(
        key + " cannot be removed",
        () ->
            session
                .handle()
                .multi(deletes(path, key.blob().parts(), 0))
                .<Void>mapEmpty()
                .recover(
                    cause ->
                        cause instanceof Handle.Refused
                            ? Future.failedFuture(
                                StoreException.conflict(key + " is gone, or a commit refers to it"))
                            : Future.failedFuture(cause)));
  }
}
