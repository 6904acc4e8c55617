package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.hearing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Priority;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.store.Member;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Waits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that properties of a message also travel to another node, and that ends of actors are
 * reported across nodes.
 */
@Tag("real")
class RemoteActorsTest {
  sealed interface Call {
    record Say(String text) implements Call {}

    record Pass(String to) implements Call {}

    record Watch(String path) implements Call {}

    record Gone(String path) implements Call {}

    record Hold() implements Call {}

    record Fail() implements Call {}
  }

  record Heard(String text) {}

  private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
  private final Map<String, Optional<Failure>> causes = new ConcurrentHashMap<>();
  private final Promise<Void> gate = Promise.promise();
  @RegisterExtension final TwoNodes nodes = new TwoNodes("remote-actors");

  private final class Caller extends Actor<Call> {
    @Override
    protected void protocol(Protocol<Call> on) {
      on.message(
              Call.Say.class,
              say -> {
                seen.add(say.text());
                reply(new Heard(say.text() + " heard by " + callboard().node()));
              })
          .message(
              Call.Pass.class,
              pass -> forward(callboard().ref(pass.to(), Call.class), new Call.Say("passed")))
          .message(
              Call.Watch.class,
              order ->
                  watch(
                      callboard().ref(order.path(), Call.class),
                      end -> {
                        causes.put(end.actor().path().toString(), Optional.ofNullable(end.cause()));
                        return new Call.Gone(end.actor().path() + ": " + end.reason());
                      }))
          .message(
              Call.Fail.class,
              fail -> {
                throw new IllegalStateException("as told");
              })
          .message(Call.Gone.class, gone -> seen.add("gone " + gone.path()))
          .async(
              Call.Hold.class,
              hold -> {
                seen.add("holds");
                return gate.future();
              });
    }
  }

  private final class DurableListener extends DurableStateActor<Heard, Heard> {
    @Override
    protected Heard initial() {
      return new Heard("");
    }

    @Override
    protected void protocol(Protocol<Heard> on) {
      on.message(Heard.class, heard -> seen.add("durably told " + heard.text()));
    }
  }

  @AfterEach
  void stop() throws Exception {
    gate.tryComplete();
  }

  private void expect(String what) throws Exception {
    assertThat(Waits.next(seen)).isEqualTo(what);
  }

  private ActorRef<Call> spawn(Callboard node, String path) throws Exception {
    return spawn(node, path, new ActorOptions());
  }

  private ActorRef<Call> spawn(Callboard node, String path, ActorOptions options) throws Exception {
    ActorRef<Call> spawned = await(node.spawn(path, Caller::new, options));
    Callboard other = node == nodes.here ? nodes.there : nodes.here;
    ActorRef<Call> ref = other.ref(path, Call.class);
    Eventually.assertThat(
        () -> {
          try {
            await(ref.ask(new Call.Say("ready"), Heard.class));
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    seen.removeIf("ready"::equals);
    return spawned;
  }

  @Test
  void anAnswerComesToTheActorNamedOrToWhoAsked() throws Exception {
    spawn(nodes.there, "/there");
    spawn(nodes.here, "/here");
    ActorRef<Heard> listener =
        await(
            nodes.here.spawn(
                "/listener",
                hearing(Heard.class, heard -> seen.add("told " + heard.text())),
                new ActorOptions()));
    ActorRef<Heard> fromThere = nodes.there.ref("/listener", Heard.class);
    Eventually.assertThat(
        () -> {
          try {
            await(fromThere.tell(new Heard("ready")));
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    expect("told ready");
    ActorRef<Call> there = nodes.here.ref("/there", Call.class);
    await(there.tell(new Call.Say("hello"), TellOptions.replyTo(listener)));
    expect("hello");
    expect("told hello heard by there");

    ActorRef<Heard> durable =
        await(nodes.here.spawn("/durable/listener", DurableListener::new, new ActorOptions()));
    await(there.tell(new Call.Say("again"), TellOptions.replyTo(durable)));
    expect("again");
    expect("durably told again heard by there");

    Heard answer = await(there.ask(new Call.Pass("/here"), Heard.class));
    assertThat(answer).isEqualTo(new Heard("passed heard by here"));
    Future<Heard> lost = there.ask(new Call.Pass("/nobody"), Heard.class);
    assertThatThrownBy(() -> await(lost)).hasMessageContaining("no actor /nobody runs");
  }

  @Test
  void priorityAndDeadlineTravel() throws Exception {
    spawn(nodes.there, "/there");
    ActorRef<Call> there = nodes.here.ref("/there", Call.class);
    await(there.tell(new Call.Hold()));
    expect("holds");
    await(there.tell(new Call.Say("overdue"), TellOptions.within(Duration.ofMillis(1))));
    await(there.tell(new Call.Say("normal"), TellOptions.within(Duration.ofMinutes(1))));
    await(there.tell(new Call.Say("urgent"), TellOptions.priority(Priority.HIGH)));
    await(nodes.there.vertx().timer(20)); // its deadline is over
    gate.complete();
    expect("urgent");
    expect("normal");
    assertThat(nodes.there.admin().counts().dead()).isEqualTo(1);
  }

  @Test
  void anEndIsToldOnAnotherNodeAlsoIfThatNodeLeaves() throws Exception {
    ActorRef<Call> watcher = spawn(nodes.here, "/watcher");
    spawn(nodes.there, "/stopped");
    spawn(nodes.there, "/left");
    spawn(nodes.there, "/other");
    for (String path : new String[] {"/stopped", "/left", "/other"}) {
      await(watcher.tell(new Call.Watch(path)));
    }
    await(watcher.tell(new Call.Say("watching")));
    expect("watching");
    await(nodes.there.stop("/stopped"));
    assertThat(Waits.next(seen)).startsWith("gone /stopped: ");
    assertThat(causes.get("/stopped")).isEmpty();
    ActorOptions once =
        new ActorOptions().supervision(new SupervisionOptions().kind(ChildKind.TEMPORARY));
    ActorRef<Call> unused = spawn(nodes.there, "/failing", once);
    await(watcher.tell(new Call.Watch("/failing")));
    await(watcher.tell(new Call.Say("watching")));
    expect("watching");
    await(nodes.here.ref("/failing", Call.class).tell(new Call.Fail())); // behind the watch
    expect("gone /failing: it was stopped");
    assertThat(causes.get("/failing"))
        .hasValueSatisfying(
            cause -> {
              assertThat(cause.cause()).isEqualTo("java.lang.IllegalStateException: as told");
              assertThat(cause.node()).isEqualTo("there");
              assertThat(cause.decision()).isEqualTo(Directive.STOP);
            });
    await(nodes.there.close());
    assertThat(new String[] {next(), next()})
        .containsExactlyInAnyOrder("gone /left", "gone /other");
  }

  /** The owned partitions are given back before any session ends. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aVertxThatClosesGivesBackWhatItsNodeOwned(boolean closesAlready) throws Exception {
    String path = "/durable/listener";
    ActorRef<Heard> listener =
        await(nodes.there.spawn(path, DurableListener::new, new ActorOptions()));
    await(listener.tell(new Heard("first")));
    expect("durably told first");
    assertThat(await(nodes.here.admin().owner(path))).contains("there");
    if (closesAlready) {
      var unused = nodes.there.close();
    }
    await(nodes.there.vertx().close());
    assertThat(await(nodes.here.admin().owner(path))).isEmpty();
    assertThat(await(nodes.here.members())).extracting(Member::name).containsExactly("here");
    await(nodes.here.spawn(path, DurableListener::new, new ActorOptions()));
    await(nodes.here.durableRef(path, Heard.class).tell(new Heard("second")));
    expect("durably told second");
  }

  private String next() throws Exception {
    return String.valueOf(Waits.next(seen)).replaceFirst(":.*", "");
  }
}
