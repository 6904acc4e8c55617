package io.callboard.zookeeper.faults;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Partition;
import io.callboard.store.BlobKey;
import io.callboard.store.BlobStore;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.Store;
import io.callboard.zookeeper.faults.CrashPoint.Step;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Once armed, ends its process at a crash point, as SIGKILL would. */
final class CrashingStore extends StoreInFront {
  /** The exit code of a process that SIGKILL has ended. */
  static final int KILLED = 137;

  /** Follows the name of a znode in any operation that names it, but not in its children's. */
  private static final String END = "\0";

  private final Store store;
  private final CrashPoint point;
  private final Consumer<String> network;
  private volatile boolean armed;

  /**
   * @param network is to catch the request that holds these characters, or its reply, and to kill
   *     this process then; returns when it is ready to
   */
  CrashingStore(Store store, CrashPoint point, Consumer<String> network) {
    super(store);
    this.store = store;
    this.point = point;
    this.network = network;
  }

  /** The next time is the last. */
  void arm() {
    armed = true;
  }

  private <T> Future<T> run(boolean here, String marker, Supplier<Future<T>> request) {
    if (!armed || !here) {
      return request.get();
    }
    return switch (point.moment()) {
      case BEFORE -> halt();
      case LOST, APPLIED -> {
        network.accept(marker);
        yield request.get();
      }
      case SEEN ->
          request
              .get()
              .compose(
                  done -> isRefused(done) ? Future.succeededFuture(done) : halt(),
                  failure -> {
                    throw new IllegalStateException("the step failed", failure);
                  });
    };
  }

  /** Returns whether a commit was refused: it will be tried again. */
  private static boolean isRefused(Object done) {
    return done instanceof CommitOutcome.Refused;
  }

  private static <T> Future<T> halt() {
    Runtime.getRuntime().halt(KILLED);
    throw new IllegalStateException("this process has ended");
  }

  @Override
  public Future<CommitOutcome> commit(Commit commit) {
    return run(
        point.step().isTakenBy(commit), "/s/" + CrashLoad.NODE + END, () -> super.commit(commit));
  }

  @Override
  public Future<Lease> claim(Partition partition, Optional<Lease> seen) {
    boolean here = point.step() == Step.CLAIM && partition.space().equals(keeper().space());
    return run(here, "/o/" + partition + END, () -> super.claim(partition, seen));
  }

  @Override
  public Future<Loaded> load(ActorPath actor, Lease lease) {
    boolean here = point.step() == Step.LOAD && actor.equals(keeper());
    return run(here, "", () -> super.load(actor, lease));
  }

  private static ActorPath keeper() {
    return ActorPath.of(CrashLoad.KEEPER);
  }

  @Override
  public BlobStore blobs() {
    BlobStore blobs = store.blobs();
    return new BlobStore() {
      @Override
      public Future<BlobRef> write(ActorPath receiver, byte[] body) {
        return run(point.step() == Step.BODY, "", () -> blobs.write(receiver, body));
      }

      @Override
      public Future<BlobRef> keep(ActorPath owner, byte[] content) {
        return blobs.keep(owner, content);
      }

      @Override
      public Future<Integer> release(ActorPath owner) {
        return blobs.release(owner);
      }

      @Override
      public Future<byte[]> read(BlobKey key) {
        return blobs.read(key);
      }

      @Override
      public Future<Boolean> isWhole(BlobKey key) {
        return blobs.isWhole(key);
      }

      @Override
      public Future<Void> forsake(BlobKey key) {
        return blobs.forsake(key);
      }
    };
  }
}
