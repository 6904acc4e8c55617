package io.callboard.testkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.testkit.ActorsTest.Add;
import io.callboard.testkit.ActorsTest.Counter;
import io.callboard.testkit.ActorsTest.Total;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** An application with a Vert.x and verticles of its own that uses Callboard as a library. */
class EmbeddingTest {
  private static <T> T await(Future<T> future) throws Exception {
    return future.await(10, SECONDS);
  }

  /** The application's own: it knows nothing of actors but an address. */
  static final class Teller extends VerticleBase {
    @Override
    public Future<?> start() {
      return vertx
          .eventBus()
          .consumer(
              "teller",
              message ->
                  vertx
                      .eventBus()
                      .<JsonObject>request(
                          "callboard:/till", new JsonObject().put("amount", message.body()))
                      .onSuccess(answer -> message.reply(answer.body().getInteger("value")))
                      .onFailure(cause -> message.fail(1, cause.getMessage())))
          .completion();
    }
  }

  @Test
  void livesInAnApplicationsOwnVertxAndGivesEverythingBack() throws Exception {
    Vertx vertx = Vertx.vertx();
    await(vertx.deployVerticle(new Teller()));
    Callboard callboard = await(Callboard.create(vertx, new CallboardOptions()));
    assertThat(Callboard.of(vertx)).isSameAs(callboard);
    await(callboard.<Add>spawn("/till", Counter::new));
    assertThat(await(vertx.eventBus().request("teller", 5)).body()).isEqualTo(5);
    assertThat(await(vertx.eventBus().request("teller", 6)).body()).isEqualTo(11);

    await(callboard.close());
    assertThat(Callboard.find(vertx)).isEmpty();
    assertThat(vertx.deploymentIDs()).as("only the application's own").hasSize(1);
    assertThatThrownBy(() -> await(vertx.eventBus().request("teller", 7)))
        .hasMessageContaining("No handlers");
    await(callboard.close());
    await(vertx.close());
  }

  @Test
  void twoInOneProcessShareNothing() throws Exception {
    Vertx a = Vertx.vertx();
    Vertx b = Vertx.vertx();
    Callboard one = await(Callboard.create(a, new CallboardOptions()));
    Callboard two = await(Callboard.create(b, new CallboardOptions()));
    ActorRef<Add> first = await(one.spawn("/counter", Counter::new));
    ActorRef<Add> second = await(two.spawn("/counter", Counter::new));
    await(first.ask(new Add(1), Total.class));
    assertThat(await(second.ask(new Add(0), Total.class))).isEqualTo(new Total(0));
    await(one.close());
    await(two.close());
    await(a.close());
    await(b.close());
  }

  @Test
  void oneVertxRunsOne() throws Exception {
    Vertx vertx = Vertx.vertx();
    Callboard callboard = await(Callboard.create(vertx, new CallboardOptions()));
    assertThatThrownBy(() -> await(Callboard.create(vertx, new CallboardOptions())))
        .hasMessageContaining("runs a Callboard already");
    await(callboard.close());
    await(await(Callboard.create(vertx, new CallboardOptions())).close());
    await(vertx.close());
  }
}
