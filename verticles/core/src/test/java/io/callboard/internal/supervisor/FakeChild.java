package io.callboard.internal.supervisor;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.failurezone.ChildRest;
import io.callboard.supervision.Directive;
import io.callboard.supervision.FailureStreak;
import io.callboard.supervision.RestartBudget;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Child of a supervisor that records what is asked of it. */
class FakeChild implements Supervised {
  private final ActorPath path;
  final List<String> told = new CopyOnWriteArrayList<>();
  final CountDownLatch begins = new CountDownLatch(1);
  final CountDownLatch ends = new CountDownLatch(1);
  final CountDownLatch forgotten = new CountDownLatch(1);
  final Promise<Void> ended = Promise.promise();
  volatile boolean over;
  private volatile @Nullable ActorPath needs;

  FakeChild(String path) {
    this.path = ActorPath.of(path);
  }

  @Override
  public String label() {
    return "actor " + path;
  }

  @Override
  public ActorPath path() {
    return path;
  }

  @Override
  public SupervisionOptions supervision() {
    return new SupervisionOptions();
  }

  @Override
  public void supervision(SupervisionOptions other) {
    told.add("treated otherwise");
  }

  @Override
  public void budget(@Nullable Supplier<RestartBudget> reads) {
    // not read here
  }

  @Override
  public void failing(@Nullable Supplier<@Nullable FailureStreak> reads) {
    // not read here
  }

  @Override
  public void begin() {
    told.add("begin");
    begins.countDown();
  }

  @Override
  public Future<Void> end() {
    told.add("end");
    ends.countDown();
    return ended.future();
  }

  @Override
  public void forgottenWhileStopping() {
    told.add("forgotten");
    forgotten.countDown();
  }

  @Override
  public void willRestart(Duration delay) {
    told.add("will restart");
  }

  @Override
  public void rest(String why, boolean asked) {
    told.add("rest");
  }

  @Override
  public Future<Void> done() {
    told.add("done");
    return Future.succeededFuture();
  }

  @Override
  public boolean becomesKnown() {
    return !over;
  }

  @Override
  public long work() {
    return 0;
  }

  @Override
  public @Nullable ChildRest rests() {
    return null;
  }

  @Override
  public void resumed() {
    told.add("resumed");
  }

  @Override
  public void needs(@Nullable ActorPath resting) {
    needs = resting;
    told.add("needs " + resting);
  }

  @Override
  public @Nullable ActorPath needs() {
    return needs;
  }

  @Override
  public void falls(Directive decided) {
    told.add("falls");
  }

  @Override
  public boolean escalates(Throwable cause) {
    return false;
  }
}
