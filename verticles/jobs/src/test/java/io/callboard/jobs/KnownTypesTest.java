package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.testkit.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KnownTypesTest {
  private static final JobType PROCESSES =
      new JobType("a", JobType.PROCESS, 1, false, RetryPolicy.ONCE);

  private final Vertx vertx = Vertx.vertx();
  private final List<Promise<JobType>> questions = new ArrayList<>();
  private final KnownTypes types =
      new KnownTypes(
          vertx,
          name -> {
            questions.add(Promise.promise());
            return questions.get(questions.size() - 1).future();
          });

  @AfterEach
  void end() throws Throwable {
    var unused = Futures.await(vertx.close());
  }

  private static boolean succeeds(Future<Optional<String>> check) throws Exception {
    return Futures.await(check.map(true).otherwise(false));
  }

  @Test
  void concurrentChecksAskForTheTypeOnce() throws Exception {
    List<Future<Optional<String>>> checks =
        List.of(types.handler("a"), types.handler("a"), types.handler("a"));
    assertThat(questions).hasSize(1);
    assertThat(checks).noneMatch(Future::isComplete);
    questions.get(0).complete(PROCESSES);
    for (Future<Optional<String>> check : checks) {
      assertThat(succeeds(check)).isTrue();
    }
    assertThat(succeeds(types.handler("a"))).isTrue();
    assertThat(questions).as("it is known").hasSize(1);
  }

  @Test
  void aMissingTypeIsAskedForAgain() throws Exception {
    Future<Optional<String>> first = types.handler("a");
    questions.get(0).fail("no such type");
    assertThat(succeeds(first)).isFalse();
    Future<Optional<String>> second = types.handler("a");
    assertThat(questions).hasSize(2);
    questions.get(1).complete(PROCESSES);
    assertThat(succeeds(second)).isTrue();
  }

  @Test
  void eachTypeIsAskedForByItself() {
    var unused = List.of(types.handler("a"), types.handler("b"));
    assertThat(questions).hasSize(2);
  }

  @Test
  void aQuestionThatThrowsFailsAndIsAskedAgain() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    KnownTypes closing =
        new KnownTypes(
            vertx,
            name -> {
              if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("the node is closed");
              }
              return Future.succeededFuture(PROCESSES);
            });
    assertThat(succeeds(closing.handler("a"))).isFalse();
    assertThat(succeeds(closing.handler("a"))).isTrue();
  }
}
