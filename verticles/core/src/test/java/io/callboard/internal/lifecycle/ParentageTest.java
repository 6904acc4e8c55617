package io.callboard.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Test of the children of an actor over its lives. */
class ParentageTest {
  private static final ActorPath PARENT = ActorPath.of("/parent");
  private static final ActorPath CHILD = PARENT.child("a");
  private static final ActorPath OTHER = PARENT.child("b");

  private final Map<ActorPath, Object> here = new HashMap<>();
  private final List<ActorPath> stopped = new ArrayList<>();
  private final Map<ActorPath, Promise<Void>> slow = new HashMap<>();
  private final Parentage parentage = new Parentage(this::stop, here::get);

  private Future<Void> stop(ActorPath child) {
    stopped.add(child);
    Promise<Void> gone = slow.get(child);
    if (gone != null) {
      return gone.future();
    }
    end(child);
    return Future.succeededFuture();
  }

  /** Ends a child: its path is free before the stop has succeeded. */
  private void end(ActorPath child) {
    here.remove(child);
    parentage.forget(child);
  }

  private void spawn(Future<ActorRef<Object>> start) {
    var unused = spawn("a", new AtomicBoolean(), start);
  }

  /**
   * @param over whether the life that spawns it is over
   */
  private Future<ActorRef<Object>> spawn(
      String name, AtomicBoolean over, Future<ActorRef<Object>> start) {
    return parentage.spawn(
        PARENT,
        over::get,
        name,
        path -> {
          Object unused = here.putIfAbsent(path, new Object());
          return start;
        });
  }

  private static Future<ActorRef<Object>> start() {
    return Promise.<ActorRef<Object>>promise().future();
  }

  private static Future<ActorRef<Object>> failure(Code code) {
    return Future.failedFuture(new CallboardException(code, "its start failed"));
  }

  /** The start of a child that is stopped meanwhile may fail when the next life has begun. */
  @Test
  void theEndOfAnEarlierChildDoesNotConcernTheNextOfItsName() {
    Promise<ActorRef<Object>> first = Promise.promise();
    spawn(first.future());
    assertThat(parentage.stopAll(PARENT).succeeded()).isTrue();
    spawn(Promise.<ActorRef<Object>>promise().future());
    first.fail(CallboardException.stopped("the child"));
    assertThat(parentage.parentOf(CHILD)).contains(PARENT);
    assertThat(parentage.stopAll(PARENT).succeeded()).isTrue();
    assertThat(stopped).containsExactly(CHILD, CHILD);
  }

  /** A handler that blocks goes on while the children of its actor are stopped, and afterwards. */
  @Test
  void aChildOfALifeThatIsOverIsRefused() {
    AtomicBoolean over = new AtomicBoolean();
    Promise<Void> gone = Promise.promise();
    slow.put(CHILD, gone);
    assertThat(spawn("a", over, start()).isComplete()).isFalse();
    over.set(true);
    Future<Void> ended = parentage.stopAll(PARENT);
    assertThat(spawn("b", over, start()).cause())
        .hasMessage("actor /parent is stopped")
        .isInstanceOfSatisfying(
            CallboardException.class,
            refused -> assertThat(refused.code()).isEqualTo(Code.STOPPED));
    end(CHILD);
    gone.complete();
    assertThat(ended.succeeded()).isTrue();
    assertThat(spawn("b", over, start()).failed()).as("nor when they have stopped").isTrue();
    assertThat(here).isEmpty();
    assertThat(parentage.parentOf(OTHER)).isEmpty();
  }

  @Test
  void onlyStoppedChildrenAreForgotten() {
    AtomicBoolean next = new AtomicBoolean();
    Promise<Void> gone = Promise.promise();
    slow.put(CHILD, gone);
    spawn(start());
    Future<Void> ended = parentage.stopAll(PARENT);
    assertThat(parentage.parentOf(CHILD)).as("until it has stopped").contains(PARENT);
    assertThat(spawn("b", next, start()).isComplete()).isFalse();
    end(CHILD);
    assertThat(spawn("a", next, start()).isComplete()).as("its name is free").isFalse();
    gone.complete();
    assertThat(ended.succeeded()).isTrue();
    assertThat(parentage.parentOf(CHILD)).contains(PARENT);
    assertThat(parentage.parentOf(OTHER)).contains(PARENT);
    assertThat(parentage.stopAll(PARENT).succeeded()).isTrue();
    assertThat(stopped).containsExactlyInAnyOrder(CHILD, CHILD, OTHER);
  }

  /** The bus may refuse the endpoint of an actor that runs. */
  @Test
  void aChildThatRunsThoughItsStartFailedStaysOne() {
    spawn(failure(Code.UNAVAILABLE));
    assertThat(parentage.parentOf(CHILD)).contains(PARENT);
  }

  @Test
  void aChildThatIsStartedAgainByItsSupervisorStaysOne() {
    spawn(failure(Code.START_FAILED));
    assertThat(parentage.parentOf(CHILD)).contains(PARENT);
  }

  /** Its name is free a moment before its path is. */
  @Test
  void aChildWhosePredecessorWasJustLeavingIsOneToo() {
    here.put(CHILD, new Object());
    var unused =
        parentage.spawn(
            PARENT,
            () -> false,
            "a",
            path -> {
              here.put(path, new Object());
              return failure(Code.START_FAILED);
            });
    assertThat(parentage.parentOf(CHILD)).contains(PARENT);
    assertThat(parentage.stopAll(PARENT).succeeded()).isTrue();
    assertThat(stopped).containsExactly(CHILD);
  }

  @Test
  void aChildThatWasRefusedIsNone() {
    spawn(failure(Code.PATH_TAKEN));
    assertThat(parentage.parentOf(CHILD)).isEmpty();
    assertThat(parentage.stopAll(PARENT).succeeded()).isTrue();
    assertThat(stopped).isEmpty();
  }

  @Test
  void anActorOfThatPathThatIsNoChildDoesNotBecomeOne() {
    here.put(CHILD, new Object());
    spawn(failure(Code.START_FAILED));
    assertThat(parentage.parentOf(CHILD)).isEmpty();
  }
}
