package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.answering;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.Protocol;
import io.callboard.testkit.SampleActors.Add;
import io.callboard.testkit.SampleActors.Counter;
import io.callboard.testkit.SampleActors.Total;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** An application with a Vert.x and verticles of its own that uses Callboard as a library. */
class EmbeddingTest {
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

  record Said(List<String> words) {}

  @Test
  void plainCodeSendsAndGetsTheMessageItselfAndRegistersNothing() throws Exception {
    Vertx vertx = Vertx.vertx();
    Callboard callboard = await(Callboard.create(vertx, new CallboardOptions()));
    await(callboard.spawn("/echo", answering(Said.class, said -> said)));
    await(callboard.<Add>spawn("/till", Counter::new));
    List<String> words = new ArrayList<>(List.of("mutable, to see that nothing copies it"));
    Said said = new Said(words);
    Object answer = await(vertx.eventBus().request("callboard:/echo", said)).body();
    assertThat(answer).as("the object that was sent").isSameAs(said);
    assertThat(await(vertx.eventBus().request("callboard:/till", new Add(5))).body())
        .as("from a durable actor too")
        .isEqualTo(new Total(5));
    assertThatThrownBy(() -> await(vertx.eventBus().request("callboard:/till", said)))
        .hasMessageContaining("a message for /till is a JSON object, or one of [add] itself");
    assertThatThrownBy(() -> await(vertx.eventBus().request("callboard:/till", null)))
        .hasMessageContaining("a message for /till");

    await(callboard.close());
    assertThatThrownBy(() -> vertx.eventBus().send("callboard:/till", new Add(5)))
        .as("the codecs are gone too")
        .hasMessageContaining("No message codec for type");
    await(vertx.close());
  }

  record Due(Instant at) {}

  @Test
  void aNumberInAMessageOfPlainCodeIsNoTime() throws Exception {
    Vertx vertx = Vertx.vertx();
    Callboard callboard = await(Callboard.create(vertx, new CallboardOptions()));
    await(callboard.spawn("/agenda", answering(Due.class, due -> due)));
    JsonObject right = new JsonObject().put("at", "2026-11-30T09:30:00Z");
    assertThat(await(vertx.eventBus().request("callboard:/agenda", right)).body()).isEqualTo(right);
    JsonObject wrong = new JsonObject().put("at", 12_345);
    assertThatThrownBy(() -> await(vertx.eventBus().request("callboard:/agenda", wrong)))
        .hasMessageContaining("it must be a time such as");
    await(callboard.close());
    await(vertx.close());
  }

  /** Codec of an application for a message; it only counts. */
  static final class OwnCodec implements MessageCodec<Add, Add> {
    private final AtomicInteger used = new AtomicInteger();

    @Override
    public void encodeToWire(Buffer buffer, Add add) {
      throw new IllegalStateException("no wire here");
    }

    @Override
    public Add decodeFromWire(int position, Buffer buffer) {
      throw new IllegalStateException("no wire here");
    }

    @Override
    public Add transform(Add add) {
      used.incrementAndGet();
      return add;
    }

    @Override
    public String name() {
      return "own";
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  @Test
  void theApplicationsOwnCodecStaysInUse() throws Exception {
    Vertx vertx = Vertx.vertx();
    OwnCodec own = new OwnCodec();
    vertx.eventBus().registerDefaultCodec(Add.class, own);
    Callboard callboard = await(Callboard.create(vertx, new CallboardOptions()));
    await(callboard.<Add>spawn("/till", Counter::new));
    assertThat(await(vertx.eventBus().request("callboard:/till", new Add(5))).body())
        .isEqualTo(new Total(5));
    assertThat(own.used).hasValue(1);
    await(callboard.close());
    vertx.eventBus().unregisterDefaultCodec(Add.class);
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
  void aVertxRunsOneCallboard() throws Exception {
    Vertx vertx = Vertx.vertx();
    Callboard callboard = await(Callboard.create(vertx, new CallboardOptions()));
    assertThatThrownBy(() -> await(Callboard.create(vertx, new CallboardOptions())))
        .hasMessageContaining("runs a Callboard already");
    await(callboard.close());
    await(await(Callboard.create(vertx, new CallboardOptions())).close());
    await(vertx.close());
  }

  /** Actor whose start does not end by itself. */
  static final class Endless extends Actor<Said> {
    private final Promise<Void> begun;

    Endless(Promise<Void> begun) {
      this.begun = begun;
    }

    @Override
    protected Future<?> started() {
      begun.complete();
      return Promise.promise().future();
    }

    @Override
    protected void protocol(Protocol<Said> on) {
      on.message(Said.class, said -> reply(said));
    }
  }

  @Test
  void aStartDuringWhichTheVertxClosesFailsAndHoldsNothingUp() throws Exception {
    Vertx vertx = Vertx.vertx();
    Callboard callboard = await(Callboard.create(vertx, new CallboardOptions()));
    Promise<Void> begun = Promise.promise();
    ActorOptions options = new ActorOptions();
    try (LogCapture log = LogCapture.of("io.callboard")) {
      CompletableFuture<ActorRef<Said>> slow = // its context ends with the Vert.x
          callboard
              .<Said>spawn("/slow", () -> new Endless(begun), options)
              .toCompletionStage()
              .toCompletableFuture();
      await(begun.future());
      await(vertx.close());
      assertThatThrownBy(() -> await(Future.fromCompletionStage(slow)))
          .hasMessageContaining("actor /slow");
      log.expectNothing(Level.WARN);
    }
  }
}
