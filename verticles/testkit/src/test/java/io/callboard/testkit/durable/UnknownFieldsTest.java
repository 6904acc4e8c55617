package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.Named;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.SampleActors;
import io.callboard.testkit.Stage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Side by side in a rolling upgrade, or after the way back, an older node writes states whose newer
 * fields it does not know.
 */
class UnknownFieldsTest {
  private static final String PATH = "/customer";

  private static final ActorOptions ALWAYS =
      new ActorOptions().snapshots(SnapshotPolicy.every(1).keep(1));

  @RegisterExtension final Stage stage = new Stage();

  /** Message to both versions; null leaves the field unchanged. */
  @Named("order")
  record Order(@Nullable String city, @Nullable String mail) {}

  // Version 1 of the application.

  @Named("home")
  record OldHome(String city) {}

  @Named("customer")
  record OldCustomer(int orders, OldHome home, Map<String, OldHome> others, List<OldHome> past) {
    OldCustomer with(@Nullable String city) {
      return new OldCustomer(orders + 1, city == null ? home : new OldHome(city), others, past);
    }
  }

  @Named("ordered")
  record OldOrdered(@Nullable String city) {}

  private static final Supplier<DurableStateActor<Order, OldCustomer>> OLD_ACTOR =
      SampleActors.folding(
          Order.class,
          new OldCustomer(0, new OldHome(""), Map.of(), List.of()),
          (customer, order) -> customer.with(order.city()));

  static final class OldJournal extends PersistentActor<Order, OldOrdered, OldCustomer> {
    @Override
    protected OldCustomer initial() {
      return new OldCustomer(0, new OldHome(""), Map.of(), List.of());
    }

    @Override
    protected OldCustomer apply(OldCustomer state, OldOrdered event) {
      return state.with(event.city());
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(
          Order.class,
          order -> {
            persist(new OldOrdered(order.city()));
            reply(state());
          });
    }
  }

  // Version 2: more that may be null, at every depth.

  @Named("home")
  record Home(String city, @Nullable String street) {}

  @Named("customer")
  record Customer(
      int orders,
      Home home,
      Map<String, Home> others,
      List<Home> past,
      @Nullable String mail,
      @Nullable Home second) {
    static Customer initial() {
      Home home = new Home("Ulm", "Hafengasse");
      return new Customer(
          0, home, new TreeMap<>(Map.of("summer", home)), List.of(home), null, home);
    }

    Customer with(@Nullable String to) {
      return new Customer(orders + 1, home, others, past, to == null ? mail : to, second);
    }
  }

  @Named("ordered")
  record Ordered(@Nullable String city, @Nullable String mail) {}

  private static final Supplier<DurableStateActor<Order, Customer>> NEW_ACTOR =
      SampleActors.folding(
          Order.class, Customer.initial(), (customer, order) -> customer.with(order.mail()));

  static final class NewJournal extends PersistentActor<Order, Ordered, Customer> {
    @Override
    protected Customer initial() {
      return Customer.initial();
    }

    @Override
    protected Customer apply(Customer state, Ordered event) {
      return state.with(event.mail());
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(
          Order.class,
          order -> {
            persist(new Ordered(order.city(), order.mail()));
            reply(state());
          });
    }
  }

  private <T> T life(
      Supplier<? extends Actor<Order>> actor, ActorOptions options, Order order, Class<T> as)
      throws Exception {
    T answer = await(await(stage.callboard.spawn(PATH, actor, options)).ask(order, as));
    await(stage.callboard.stop(PATH));
    return answer;
  }

  /**
   * @param moved the home at last
   */
  private void thereAndBack(
      Supplier<? extends Actor<Order>> old,
      Supplier<? extends Actor<Order>> now,
      ActorOptions options,
      Home moved)
      throws Exception {
    Home home = new Home("Ulm", "Hafengasse");
    var first = life(now, options, new Order(null, "ann@callboard.example"), Customer.class);
    assertThat(first.mail()).isEqualTo("ann@callboard.example");
    for (int i = 0; i < 3; i++) {
      assertThat(life(old, options, new Order("Bonn", null), OldCustomer.class).home())
          .isEqualTo(new OldHome("Bonn"));
    }
    Customer last = life(now, options, new Order(null, null), Customer.class);
    assertThat(last.orders()).isEqualTo(5);
    assertThat(last.mail()).isEqualTo("ann@callboard.example");
    assertThat(last.second()).isEqualTo(home);
    assertThat(last.home()).isEqualTo(moved);
    assertThat(last.others()).isEqualTo(Map.of("summer", home));
  }

  @Test
  void aStateKeepsWhatItsOlderNodesDoNotKnow() throws Exception {
    // not with the street of the other one
    thereAndBack(OLD_ACTOR, NEW_ACTOR, new ActorOptions(), new Home("Bonn", null));
  }

  @Test
  void unknownFieldsOfAReplacedValueDoNotComeBackWithAnEqualOne() throws Exception {
    ActorOptions options = new ActorOptions();
    var unused = life(NEW_ACTOR, options, new Order(null, null), Customer.class);
    ActorRef<Order> old = await(stage.callboard.spawn(PATH, OLD_ACTOR, options));
    for (String city : List.of("Ulm", "Bonn", "Ulm")) {
      assertThat(await(old.ask(new Order(city, null), OldCustomer.class)).home().city())
          .isEqualTo(city);
    }
    await(stage.callboard.stop(PATH));
    Customer last = life(NEW_ACTOR, options, new Order(null, null), Customer.class);
    assertThat(last.home()).isEqualTo(new Home("Ulm", null));
  }

  @Test
  void aValueReplacedByItsEqualKeepsItsUnknownFields() throws Exception {
    ActorOptions options = new ActorOptions();
    var unused = life(NEW_ACTOR, options, new Order(null, null), Customer.class);
    var same = life(OLD_ACTOR, options, new Order("Ulm", null), OldCustomer.class);
    assertThat(same.orders()).isEqualTo(2);
    Customer last = life(NEW_ACTOR, options, new Order(null, null), Customer.class);
    assertThat(last.home()).isEqualTo(new Home("Ulm", "Hafengasse"));
  }

  @Test
  void eventsThatItsOlderNodesDoNotUnderstandStayUntilTheNewerOnesAreBack() throws Exception {
    Home known = new Home("Ulm", "Hafengasse"); // events of the older code do not change it
    thereAndBack(OldJournal::new, NewJournal::new, ALWAYS, known);
  }

  @Test
  void soDoSnapshots() throws Exception {
    ActorRef<Order> customer = await(stage.callboard.spawn(PATH, NewJournal::new, ALWAYS));
    Order order = new Order(null, "bob@callboard.example");
    for (int i = 0; i < 5; i++) {
      assertThat(await(customer.ask(order, Customer.class)).orders()).isEqualTo(i + 1);
    }
    Eventually.assertThat(() -> assertThat(snapshots()).isEqualTo(1));
    await(stage.callboard.stop(PATH));
    for (int i = 0; i < 5; i++) {
      assertThat(life(OldJournal::new, ALWAYS, new Order("Bonn", null), OldCustomer.class).home())
          .isEqualTo(new OldHome("Bonn"));
    }
    Customer last = life(NewJournal::new, ALWAYS, new Order(null, null), Customer.class);
    assertThat(last.orders()).isEqualTo(11);
    assertThat(last.mail()).isEqualTo("bob@callboard.example");
  }

  private int snapshots() {
    return stage.callboard.admin().stored(PATH).await().orElseThrow().record().snapshots().size();
  }
}
