package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.answering;
import static io.callboard.testkit.Stage.QUICK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.codecs.Named;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Actors that understand the messages of other protocols, too. */
class AdapterTest {
  /** Somebody else's. */
  sealed interface Answer {
    record Price(long cents) implements Answer {}

    record Unknown(String what) implements Answer {}
  }

  /** Somebody else's, too. */
  record News(String text) {}

  sealed interface Mine {
    record Ask(String what) implements Mine {}

    record Heard(String text) implements Mine {}

    record Other() implements Mine {}

    record Fail() implements Mine {}
  }

  record Question(String what) {}

  @RegisterExtension final Stage stage = new Stage();

  private static Answer price(Question question) {
    return question.what().equals("tea")
        ? new Answer.Price(250)
        : new Answer.Unknown(question.what());
  }

  private class Curious extends Actor<Mine> {
    @Override
    protected void protocol(Protocol<Mine> on) {
      on.adapt(Answer.class, answer -> new Mine.Heard(String.valueOf(answer)))
          .adapt(News.class, Curious::news)
          .message(Mine.Ask.class, ask -> ask(ask.what()))
          .message(Mine.Heard.class, heard -> stage.sees(heard.text()))
          .message(Mine.Other.class, other -> become(this::otherwise))
          .message(
              Mine.Fail.class,
              fail -> {
                throw new IllegalStateException("as told");
              });
    }

    private static Mine news(News news) {
      if (news.text().equals("bad")) {
        throw new IllegalStateException("bad news");
      }
      return new Mine.Heard(news.text());
    }

    private void otherwise(Protocol<Mine> on) {
      on.message(Mine.Heard.class, heard -> stage.sees("otherwise " + heard.text()))
          .others(other -> {});
    }

    private void ask(String what) {
      ActorRef<Question> prices = callboard().ref("/prices", Question.class);
      tell(prices, new Question(what), TellOptions.replyTo(self(Answer.class)));
    }
  }

  record Heard(List<String> texts) {}

  /** Durable actor with an adapter. */
  static final class Diary extends DurableStateActor<Mine, Heard> {
    @Override
    protected Heard initial() {
      return new Heard(List.of());
    }

    @Override
    protected void protocol(Protocol<Mine> on) {
      on.adapt(Answer.class, answer -> new Mine.Heard(String.valueOf(answer)))
          .message(
              Mine.Ask.class,
              ask ->
                  tell(
                      callboard().ref("/prices", Question.class),
                      new Question(ask.what()),
                      TellOptions.replyTo(self(Answer.class))))
          .message(
              Mine.Heard.class,
              heard -> {
                List<String> texts = new ArrayList<>(state().texts());
                texts.add(heard.text());
                update(new Heard(texts));
              })
          .message(Mine.Other.class, other -> reply(state()))
          .message(
              Mine.Fail.class,
              fail -> {
                throw new IllegalStateException("as told");
              });
    }
  }

  private ActorRef<Mine> curious() throws Exception {
    await(stage.callboard.spawn("/prices", answering(Question.class, AdapterTest::price)));
    return await(stage.callboard.spawn("/curious", Curious::new, QUICK));
  }

  @Test
  void answersOfAnotherProtocolAreTranslatedForThePresentBehaviour() throws Exception {
    ActorRef<Mine> curious = curious();
    await(curious.tell(new Mine.Ask("tea")));
    stage.expect("Price[cents=250]");
    await(curious.tell(new Mine.Ask("bread")));
    stage.expect("Unknown[what=bread]");
    await(curious.tell(new Mine.Other()));
    await(stage.callboard.ref("/curious", News.class).tell(new News("late")));
    stage.expect("otherwise late");
  }

  @Test
  void theRefSurvivesARestart() throws Exception {
    ActorRef<Mine> curious = curious();
    ActorRef<News> reader = stage.callboard.ref("/curious", News.class);
    await(curious.tell(new Mine.Fail()));
    await(reader.tell(new News("after the restart")));
    stage.expect("after the restart");
  }

  @Test
  void anAdapterThatFailsIsAFailureOfTheHandler() throws Exception {
    curious();
    ActorRef<News> reader = stage.callboard.ref("/curious", News.class);
    assertThatThrownBy(
            () -> await(reader.ask(new News("bad"), Answer.class, Duration.ofSeconds(5))))
        .hasMessageContaining("bad news");
    await(reader.tell(new News("good")));
    stage.expect("good");
  }

  @Test
  void plainCodeReachesBothProtocolsOverTheBus() throws Exception {
    curious();
    stage
        .vertx
        .eventBus()
        .send("callboard:/curious", new JsonObject().put("@type", "news").put("text", "by bus"));
    stage.expect("by bus");
    stage.vertx.eventBus().send("callboard:/curious", new News("itself"));
    stage.expect("itself");
  }

  /** Actor whose protocol is a single type, which needs no name, with an adapter or without. */
  final class Single extends Actor<Question> {
    @Override
    protected void protocol(Protocol<Question> on) {
      on.adapt(News.class, news -> new Question(news.text()))
          .message(Question.class, question -> stage.sees(question.what()));
    }
  }

  @Test
  void aProtocolOfOneTypeStaysTheOneThatIsMeant() throws Exception {
    await(stage.callboard.spawn("/single", Single::new));
    stage.vertx.eventBus().send("callboard:/single", new JsonObject().put("what", "unnamed"));
    stage.expect("unnamed");
  }

  @Test
  void aDurableActorFindsForeignMessagesInItsMailbox() throws Exception {
    await(stage.callboard.spawn("/prices", answering(Question.class, AdapterTest::price)));
    ActorRef<Mine> diary = await(stage.callboard.spawn("/diary", Diary::new, QUICK));
    await(diary.tell(new Mine.Ask("tea")));
    Eventually.assertThat(
        () ->
            assertThat(diary.ask(new Mine.Other(), Heard.class).await().texts())
                .containsExactly("Price[cents=250]"));

    await(stage.callboard.stop("/diary"));
    await(stage.callboard.durableRef("/diary", Answer.class).tell(new Answer.Unknown("milk")));
    ActorRef<Mine> again = await(stage.callboard.spawn("/diary", Diary::new, QUICK));
    assertThat(await(again.ask(new Mine.Other(), Heard.class)).texts())
        .containsExactly("Price[cents=250]", "Unknown[what=milk]");
  }

  private final class Declares<M> extends Actor<M> {
    private final Class<M> type;
    private final Consumer<Protocol<M>> declared;

    Declares(Class<M> type, Consumer<Protocol<M>> declared) {
      this.type = type;
      this.declared = declared;
    }

    @Override
    public Class<M> messageType() {
      return type;
    }

    @Override
    protected void protocol(Protocol<M> on) {
      declared.accept(on);
    }
  }

  private <M> void refused(Class<M> type, Consumer<Protocol<M>> declared, String... why)
      throws Exception {
    ActorOptions options = new ActorOptions();
    Supplier<Actor<M>> factory = () -> new Declares<>(type, declared);
    assertThatThrownBy(() -> await(stage.callboard.spawn("/wrong", factory, options)))
        .hasMessageContainingAll(why);
    await(stage.callboard.stop("/wrong"));
  }

  @Named("news")
  record Rumour(String text) {}

  @Test
  void aTypeThatCouldMeanTwoThingsFailsTheStart() throws Exception {
    refused(
        Mine.class,
        on -> on.adapt(Mine.Ask.class, ask -> ask).others(other -> {}),
        Mine.Ask.class.getName());
    refused(
        Question.class,
        on ->
            on.adapt(Answer.class, answer -> new Question(""))
                .adapt(Answer.Price.class, price -> new Question(""))
                .others(other -> {}),
        Answer.Price.class.getName());
    refused(
        Question.class,
        on ->
            on.adapt(News.class, news -> new Question(""))
                .adapt(Rumour.class, rumour -> new Question(""))
                .others(other -> {}),
        "same logical name \"news\"");
  }

  @Test
  void aRefInAProtocolWithoutAnAdapterIsAnErrorAtOnce() {
    Supplier<Actor<Mine>> factory =
        () ->
            new Curious() {
              @Override
              protected Future<?> started() {
                return Future.succeededFuture(self(Question.class));
              }
            };
    assertThatThrownBy(() -> await(stage.callboard.spawn("/wrong", factory)))
        .hasMessageContaining("does not understand " + Question.class.getName());
  }

  @Test
  void aBehaviourCannotBringAnAdapter() throws Exception {
    Supplier<Actor<Question>> factory =
        () ->
            new Actor<>() {
              @Override
              public Class<Question> messageType() {
                return Question.class;
              }

              @Override
              protected void protocol(Protocol<Question> on) {
                on.message(
                    Question.class,
                    question ->
                        become(
                            next ->
                                next.adapt(News.class, news -> new Question(news.text()))
                                    .others(other -> {})));
              }
            };
    ActorRef<Question> actor = await(stage.callboard.spawn("/wrong", factory));
    assertThatThrownBy(
            () -> await(actor.ask(new Question("?"), Answer.class, Duration.ofSeconds(5))))
        .hasMessageContaining("adapters for [News], which protocol(on) does not declare");
  }
}
