package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.Named;
import io.callboard.codecs.Upcast;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.StoredParked;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.Eventually;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An actor that was handled by older code: messages, parked ones, events and state. */
@ExtendWith(CallboardExtension.class)
class OldVersionsTest {
  private static final String PATH = "/account";

  private Callboard callboard;

  // The code before.

  @Named("pay")
  record OldPay(int amount) {}

  @Named("paid")
  record OldPaid(int amount) {}

  @Named("balance")
  record OldBalance(int amount) {}

  /** Refuses amounts below 0. */
  static final class OldAccount extends PersistentActor<OldPay, OldPaid, OldBalance> {
    @Override
    protected OldBalance initial() {
      return new OldBalance(0);
    }

    @Override
    protected OldBalance apply(OldBalance state, OldPaid event) {
      return new OldBalance(state.amount() + event.amount());
    }

    @Override
    protected void protocol(Protocol<OldPay> on) {
      on.message(OldPay.class, pay -> persist(new OldPaid(positive(pay.amount()))));
    }
  }

  static final class OldPurse extends DurableStateActor<OldPay, OldBalance> {
    @Override
    protected OldBalance initial() {
      return new OldBalance(0);
    }

    @Override
    protected void protocol(Protocol<OldPay> on) {
      on.message(
          OldPay.class, pay -> update(new OldBalance(state().amount() + positive(pay.amount()))));
    }
  }

  private static int positive(int amount) {
    if (amount < 0) {
      throw new IllegalArgumentException("negative");
    }
    return amount;
  }

  // The code now: cents since version 2, a currency since version 3, other names.

  private static ObjectNode toCents(ObjectNode old) {
    return old.put("cents", old.remove("amount").longValue() * 100);
  }

  private static ObjectNode inEuros(ObjectNode old) {
    return old.put("currency", "EUR");
  }

  sealed interface Command {
    @Named(value = "deposit", version = 3, formerly = "pay")
    record Deposit(long cents, String currency) implements Command {
      @Upcast(from = 1)
      static ObjectNode one(ObjectNode old) {
        return toCents(old);
      }

      @Upcast(from = 2)
      static ObjectNode two(ObjectNode old) {
        return inEuros(old);
      }
    }

    record Look() implements Command {}
  }

  @Named(value = "deposited", version = 3, formerly = "paid")
  record Deposited(long cents, String currency) {
    @Upcast(from = 1)
    static ObjectNode one(ObjectNode old) {
      return toCents(old);
    }

    @Upcast(from = 2)
    static ObjectNode two(ObjectNode old) {
      return inEuros(old);
    }
  }

  @Named(version = 2)
  record Balance(long cents) {
    @Upcast(from = 1)
    static ObjectNode one(ObjectNode old) {
      return toCents(old);
    }
  }

  static final class Account extends PersistentActor<Command, Deposited, Balance> {
    @Override
    protected Balance initial() {
      return new Balance(0);
    }

    @Override
    protected Balance apply(Balance state, Deposited event) {
      assertThat(event.currency()).isEqualTo("EUR");
      return new Balance(state.cents() + event.cents());
    }

    @Override
    protected void protocol(Protocol<Command> on) {
      on.message(
              Command.Deposit.class,
              deposit -> persist(new Deposited(deposit.cents(), deposit.currency())))
          .message(Command.Look.class, look -> reply(state()));
    }
  }

  static final class Purse extends DurableStateActor<Command, Balance> {
    @Override
    protected Balance initial() {
      return new Balance(0);
    }

    @Override
    protected void protocol(Protocol<Command> on) {
      on.message(
              Command.Deposit.class,
              deposit -> update(new Balance(state().cents() + deposit.cents())))
          .message(Command.Look.class, look -> reply(state()));
    }
  }

  @BeforeEach
  void start(Callboard given) {
    callboard = given;
  }

  private static ActorOptions options() {
    Backoff backoff =
        Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(2), Backoff.Jitter.FULL);
    return new ActorOptions().attempts(1).backoff(backoff);
  }

  private List<StoredParked> parked() {
    return await(callboard.admin().parked(10));
  }

  private static Balance look(ActorRef<Command> actor) {
    return await(actor.ask(new Command.Look(), Balance.class));
  }

  private long waiting() {
    return await(callboard.admin().stored(PATH)).orElseThrow().waiting();
  }

  /** Runs the old version: it handles 5 and 7, parks -2 and leaves 20 waiting. */
  private void oldLife(Supplier<Actor<OldPay>> actor, ActorOptions options) throws Exception {
    ActorRef<OldPay> old = await(callboard.spawn(PATH, actor, options));
    await(old.tell(new OldPay(5)));
    await(old.tell(new OldPay(-2)));
    await(old.tell(new OldPay(7)));
    Eventually.assertThat(() -> assertThat(parked()).hasSize(1));
    Eventually.assertThat(() -> assertThat(waiting()).isZero());
    await(callboard.stop(PATH));
    await(old.tell(new OldPay(20)));
  }

  private void newLife(Supplier<Actor<Command>> actor) throws Exception {
    ActorRef<Command> now = await(callboard.spawn(PATH, actor, options()));
    assertThat(await(now.ask(new Command.Look(), Balance.class))).isEqualTo(new Balance(3_200));
    await(callboard.admin().replay(PATH, parked().get(0).id()));
    Eventually.assertThat(() -> assertThat(parked()).isEmpty());
    assertThat(await(now.ask(new Command.Look(), Balance.class))).isEqualTo(new Balance(3_000));
  }

  private String stored() throws Exception {
    return new String(
        await(callboard.admin().stored(PATH)).orElseThrow().record().encode(),
        StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100})
  void eventsSnapshotsMailAndParkedMessagesOfOlderCodeAreRead(int snapshotEvery) throws Exception {
    oldLife(OldAccount::new, options().snapshots(SnapshotPolicy.every(snapshotEvery)));
    newLife(Account::new);
  }

  @Test
  void statesOfOlderCodeAreRead() throws Exception {
    oldLife(OldPurse::new, options());
    assertThat(stored()).contains("\"state\":{\"amount\":12}", "\"stateVersion\":1");
    newLife(Purse::new);
    assertThat(stored()).contains("\"state\":{\"cents\":3000}", "\"stateVersion\":2");
  }

  @Test
  void plainCodeMaySendAnOlderVersionAsJson() throws Exception {
    ActorRef<Command> now = await(callboard.spawn(PATH, Purse::new, options()));
    JsonObject old = new JsonObject().put("@type", "pay").put("@version", 1).put("amount", 3);
    callboard.vertx().eventBus().send("callboard:" + PATH, old);
    JsonObject present =
        new JsonObject().put("@type", "deposit").put("cents", 50).put("currency", "EUR");
    callboard.vertx().eventBus().send("callboard:" + PATH, present);
    Eventually.assertThat(
        () -> assertThat(look(now)).as("3 euros and 50 cents").isEqualTo(new Balance(350)));
  }

  @Test
  void olderCodeRefusesTheStateOfNewerCodeAndLeavesIt() throws Exception {
    ActorRef<Command> now = await(callboard.spawn(PATH, Purse::new, options()));
    await(now.tell(new Command.Deposit(500, "EUR")));
    assertThat(await(now.ask(new Command.Look(), Balance.class))).isEqualTo(new Balance(500));
    await(callboard.stop(PATH));
    String before = stored();
    assertThatThrownBy(() -> await(callboard.spawn(PATH, OldPurse::new, options())))
        .hasMessageContaining("state \"balance\" of OldBalance has version 2")
        .hasMessageContaining("this node reads up to 1: it was written by a newer node");
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void olderCodeParksTheMessagesOfNewerCodeUntilItIsNew() throws Exception {
    await(callboard.spawn(PATH, OldPurse::new, options()));
    ActorRef<NewPay> newer = callboard.durableRef(PATH, NewPay.class);
    await(newer.tell(new NewPay(9)));
    Eventually.assertThat(() -> assertThat(parked()).hasSize(1));
    assertThat(new String(parked().get(0).bytes(), StandardCharsets.UTF_8))
        .contains("has version 2, this node reads up to 1: it was written by a newer node")
        .contains("\"b\":{\"sum\":9}");
  }

  @Named(value = "pay", version = 2)
  record NewPay(int sum) {
    @Upcast(from = 1)
    static ObjectNode sum(ObjectNode old) {
      return old.put("sum", old.remove("amount").intValue());
    }
  }

  // What is not deployed.

  @Named(version = 2)
  record Gap(int x) {}

  static final class GapInMessages extends Actor<Gap> {
    @Override
    protected void protocol(Protocol<Gap> on) {
      on.message(Gap.class, gap -> {});
    }
  }

  static final class GapInState extends DurableStateActor<OldPay, Gap> {
    @Override
    protected Gap initial() {
      return new Gap(0);
    }

    @Override
    protected void protocol(Protocol<OldPay> on) {
      on.message(OldPay.class, pay -> {});
    }
  }

  static final class GapInEvents extends PersistentActor<OldPay, Gap, OldBalance> {
    @Override
    protected OldBalance initial() {
      return new OldBalance(0);
    }

    @Override
    protected OldBalance apply(OldBalance state, Gap event) {
      return state;
    }

    @Override
    protected void protocol(Protocol<OldPay> on) {
      on.message(OldPay.class, pay -> {});
    }
  }

  @Test
  void anActorThatCouldNotReadAnOlderVersionIsNotDeployed() throws Exception {
    String why =
        "Gap has version 2, but no upcast step from version 1 to 2: add \"@Upcast(from = 1)";
    assertThatThrownBy(() -> await(callboard.spawn("/a", GapInMessages::new)))
        .hasMessageContaining(why);
    assertThatThrownBy(() -> await(callboard.spawn("/b", GapInState::new)))
        .hasMessageContaining(why);
    assertThatThrownBy(() -> await(callboard.spawn("/c", GapInEvents::new)))
        .hasMessageContaining(why);
    assertThatThrownBy(() -> await(callboard.host("/d", GapInEvents::new, options())))
        .hasMessageContaining(why);
    assertThat(await(callboard.admin().running())).isEmpty();
  }
}
