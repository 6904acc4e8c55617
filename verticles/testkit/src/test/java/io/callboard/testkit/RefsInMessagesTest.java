package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.Terminated;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Refs that are stored and sent. */
class RefsInMessagesTest {
  record Post(String text) {}

  record Echo(String text) {}

  sealed interface Command {
    record Join(ActorRef<Post> member) implements Command {}

    record Say(String text) implements Command {}

    record Ask(String text) implements Command {}
  }

  record Members(List<ActorRef<Post>> all, Optional<ActorRef<Post>> last) {}

  @RegisterExtension final Stage stage = new Stage();

  static final class Room extends DurableStateActor<Command, Members> {
    @Override
    protected Members initial() {
      return new Members(List.of(), Optional.empty());
    }

    @Override
    protected void protocol(Protocol<Command> on) {
      on.message(
              Command.Join.class,
              join -> update(new Members(List.of(join.member()), Optional.of(join.member()))))
          .message(
              Command.Say.class, say -> state().all().forEach(to -> tell(to, new Post(say.text()))))
          .async(
              Command.Ask.class,
              ask ->
                  state()
                      .last()
                      .orElseThrow()
                      .ask(new Post(ask.text()), Echo.class, Duration.ofSeconds(10))
                      .onSuccess(this::reply));
    }
  }

  final class Member extends Actor<Post> {
    @Override
    protected void protocol(Protocol<Post> on) {
      on.message(
          Post.class,
          post -> {
            stage.sees(post.text());
            reply(new Echo(post.text()));
          });
    }
  }

  record Look(ActorRef<Post> at) {}

  sealed interface Watching {
    record Start(ActorRef<Post> at) implements Watching {}

    record Over(String what) implements Watching {}
  }

  final class Watcher extends Actor<Watching> {
    @Override
    protected void protocol(Protocol<Watching> on) {
      on.message(Watching.Start.class, start -> watch(start.at(), this::over))
          .message(Watching.Over.class, over -> stage.sees("over " + over.what()));
    }

    private Watching over(Terminated end) {
      return new Watching.Over(end.actor().path().toString());
    }
  }

  @Test
  void aStoredRefReachesItsActorAlsoFromTheNextNode() throws Exception {
    ActorRef<Post> member = await(stage.callboard.spawn("/member", Member::new, QUICK));
    await(stage.callboard.spawn("/room", Room::new, QUICK));
    ActorRef<Command> room = stage.callboard.durableRef("/room", Command.class);
    await(room.tell(new Command.Join(member)));
    await(room.tell(new Command.Say("one")));
    stage.expect("one");
    stage.restart();
    await(stage.callboard.spawn("/member", Member::new, QUICK));
    await(stage.callboard.spawn("/room", Room::new, QUICK));
    ActorRef<Command> again = stage.callboard.durableRef("/room", Command.class);
    await(again.tell(new Command.Say("two")));
    stage.expect("two");
    assertThat(await(again.ask(new Command.Ask("three"), Echo.class)).text()).isEqualTo("three");
    stage.expect("three");
  }

  @Test
  void anActorIsWatchedByARefThatWasRead() throws Exception {
    await(stage.callboard.spawn("/member", Member::new, QUICK));
    ActorRef<Watching> watcher = await(stage.callboard.spawn("/watcher", Watcher::new, QUICK));
    await(watcher.tell(new Watching.Start(ActorRef.read("volatile:/member"))));
    await(stage.callboard.stop("/member"));
    stage.expect("over /member");
  }

  @Test
  void isWrittenAsItsAddress() {
    ActorRef<Post> ref = stage.callboard.durableRef("/a/b", Post.class);
    byte[] json = Json.bytes(new Look(ref));
    assertThat(new String(json, StandardCharsets.UTF_8)).isEqualTo("{\"at\":\"durable:/a/b\"}");
    Look read = Json.read("it", json, Look.class);
    assertThat(read.at()).isEqualTo(ref).hasSameHashCodeAs(ref);
    assertThat(ref).isEqualTo(read.at());
    assertThat(read.at().durable()).isTrue();
    for (String bad : List.of("/a/b", "durable:", "x:/a", "")) {
      byte[] wrong = "{\"at\":\"%s\"}".formatted(bad).getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> Json.read("it", wrong, Look.class))
          .as(bad)
          .isInstanceOf(CodecException.class);
    }
  }

  @Test
  void outsideOfANodeItSaysSo() {
    Future<Void> told = ActorRef.<Post>read("volatile:/a").tell(new Post("x"));
    assertThat(told.cause()).hasMessageContaining("outside of a node");
  }
}
