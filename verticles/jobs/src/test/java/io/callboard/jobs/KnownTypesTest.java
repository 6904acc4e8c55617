package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KnownTypesTest {
  private final Vertx vertx = Vertx.vertx();
  private final List<Promise<Void>> questions = new ArrayList<>();
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

  private static boolean succeeds(Future<Void> check) throws Exception {
    return Futures.await(check.map(true).otherwise(false));
  }

  @Test
  void manyChecksAreOneQuestion() throws Exception {
    List<Future<Void>> checks = List.of(types.check("a"), types.check("a"), types.check("a"));
    assertThat(questions).hasSize(1);
    assertThat(checks).noneMatch(Future::isComplete);
    questions.get(0).complete();
    for (Future<Void> check : checks) {
      assertThat(succeeds(check)).isTrue();
    }
    assertThat(succeeds(types.check("a"))).isTrue();
    assertThat(questions).as("it is known").hasSize(1);
  }

  @Test
  void aTypeThatIsNotThereIsAskedForAgain() throws Exception {
    Future<Void> first = types.check("a");
    questions.get(0).fail("no such type");
    assertThat(succeeds(first)).isFalse();
    Future<Void> second = types.check("a");
    assertThat(questions).hasSize(2);
    questions.get(1).complete();
    assertThat(succeeds(second)).isTrue();
  }

  @Test
  void everyTypeHasItsQuestion() {
    var unused = List.of(types.check("a"), types.check("b"));
    assertThat(questions).hasSize(2);
  }

  @Test
  void aQuestionThatThrowsHasFailedAndIsAskedAgain() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    KnownTypes closing =
        new KnownTypes(
            vertx,
            name -> {
              if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("the node is closed");
              }
              return Future.succeededFuture();
            });
    assertThat(succeeds(closing.check("a"))).isFalse();
    assertThat(succeeds(closing.check("a"))).isTrue();
  }
}
