package io.callboard.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Test of the children of an actor over its lives. */
class ParentageTest {
  private static final ActorPath PARENT = ActorPath.of("/parent");
  private static final ActorPath CHILD = PARENT.child("a");

  private final Set<ActorPath> here = new HashSet<>();
  private final List<ActorPath> stopped = new ArrayList<>();
  private final Parentage parentage = new Parentage(this::stop, here::contains);

  /** Ends a child: its path is free before the stop has succeeded. */
  private Future<Void> stop(ActorPath child) {
    stopped.add(child);
    here.remove(child);
    parentage.forget(child);
    return Future.succeededFuture();
  }

  private void spawn(Future<ActorRef<Object>> start) {
    Future<ActorRef<Object>> unused =
        parentage.spawn(
            PARENT,
            "a",
            path -> {
              here.add(path);
              return start;
            });
  }

  private static Future<ActorRef<Object>> failure(Code code) {
    return Future.failedFuture(new CallboardException(code, "its start failed"));
  }

  /** The start of a child that is stopped meanwhile may fail when the next life has begun. */
  @Test
  void whatBecomesOfAnEarlierChildDoesNotConcernTheNextOneOfItsName() {
    Promise<ActorRef<Object>> first = Promise.promise();
    spawn(first.future());
    assertThat(parentage.stopAll(PARENT).succeeded()).isTrue();
    spawn(Promise.<ActorRef<Object>>promise().future());
    first.fail(CallboardException.stopped("the child"));
    assertThat(parentage.parentOf(CHILD)).contains(PARENT);
    assertThat(parentage.stopAll(PARENT).succeeded()).isTrue();
    assertThat(stopped).containsExactly(CHILD, CHILD);
  }

  @Test
  void aChildThatIsStartedAgainByItsSupervisorStaysOne() {
    spawn(failure(Code.START_FAILED));
    assertThat(parentage.parentOf(CHILD)).contains(PARENT);
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
    here.add(CHILD);
    spawn(failure(Code.START_FAILED));
    assertThat(parentage.parentOf(CHILD)).isEmpty();
  }
}
