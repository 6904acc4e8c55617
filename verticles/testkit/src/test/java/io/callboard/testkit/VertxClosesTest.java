package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.admin.FailureZoneStatus.State;
import io.callboard.store.StoreException;
import io.callboard.supervision.FailureZone;
import io.callboard.testkit.SampleActors.Add;
import io.callboard.testkit.SampleActors.Counter;
import io.callboard.testkit.SampleActors.Total;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application closes its Vert.x and never thought of the Callboard in it. */
class VertxClosesTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private Vertx vertx;
  private Callboard callboard;
  private ActorRef<Add> till;
  private ActorRef<Add> kept;

  private static final Supplier<Actor<Add>> TILL =
      SampleActors.answering(Add.class, add -> new Total(add.amount()));

  @BeforeEach
  void open() throws Exception {
    callboard = nodes.open("test");
    vertx = callboard.vertx();
    till = await(callboard.spawn("/till", TILL));
    await(callboard.supervise("/zone", new FailureZone()));
    await(callboard.spawn("/zone/till", TILL));
    kept = await(callboard.spawn("/kept", Counter::new));
    assertThat(await(kept.ask(new Add(1), Total.class))).isEqualTo(new Total(1));
  }

  @Test
  void theNodeClosesWithItAndWhoWaitsForThatIsTold() throws Exception {
    CompletableFuture<Void> closed = callboard.closed().toCompletionStage().toCompletableFuture();
    await(vertx.close());
    await(Future.fromCompletionStage(closed));
    assertThat(Callboard.find(vertx)).isEmpty();
    assertThat(callboard.closed().succeeded()).isTrue();
  }

  @Test
  void theNodeClosesThoughItsZonesAreStillDeployed() throws Exception {
    for (int i = 0; i < 20; i++) {
      Callboard begun = nodes.open("test" + i);
      for (int j = 0; j < i; j++) {
        Future<?> unused = begun.supervise("/z" + j, new FailureZone());
      }
      await(begun.vertx().close());
      assertThat(begun.closed().isComplete()).as("with %d zones", i).isTrue();
    }
  }

  @Test
  void callsAfterTheCloseOfVertxFail() throws Exception {
    await(vertx.close());
    Map<String, Supplier<Future<?>>> calls = new LinkedHashMap<>();
    calls.put("spawn", () -> callboard.spawn("/other", TILL));
    calls.put("host", () -> callboard.<Add>host("/others", Counter::new, new ActorOptions()));
    calls.put("supervise", () -> callboard.supervise("/others", new FailureZone()));
    calls.put("stop", () -> callboard.stop("/till"));
    calls.put("stop of a zone", () -> callboard.stop("/zone"));
    calls.put("suspend", () -> callboard.admin().suspend("/till"));
    calls.put("restart of a zone", () -> callboard.admin().restart("/zone"));
    calls.put("tell", () -> till.tell(new Add(1)));
    calls.put("ask", () -> till.ask(new Add(1), Total.class));
    calls.put("tell durably", () -> kept.tell(new Add(1)));
    calls.put("ask durably", () -> kept.ask(new Add(1), Total.class));
    calls.put("running", () -> callboard.admin().running());
    calls.put("owner", () -> callboard.admin().owner("/kept"));
    calls.put("stored", () -> callboard.admin().stored("/kept"));
    calls.put("failures", () -> callboard.admin().failures("/kept"));
    calls.put("parked", () -> callboard.admin().parked(10));
    calls.put("discard", () -> callboard.admin().discard("/kept", "1-0"));
    calls.put("replay", () -> callboard.admin().replay("/kept", "1-0"));
    calls.put("waiting", () -> callboard.admin().waiting("/kept", 10));
    calls.put("members", () -> callboard.members());
    calls.put("publish", () -> callboard.publish("key", "value"));
    calls.forEach(
        (what, call) ->
            assertThatThrownBy(() -> await(call.get()))
                .as(what)
                .isInstanceOfAny(CallboardException.class, StoreException.class));
    await(callboard.close());
    await(callboard.closed());
    assertThat(callboard.admin().failureZones()).noneMatch(z -> z.state() == State.RUNNING);
    assertThat(callboard.admin().zones()).isNotNull();
    assertThat(callboard.admin().metrics()).isNotNull();
  }
}
