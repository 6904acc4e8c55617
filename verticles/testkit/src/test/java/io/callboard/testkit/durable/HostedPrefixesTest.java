package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.Shops;
import com.example.Shops.Bazaar;
import com.example.Shops.Sell;
import com.example.Shops.Shop;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.FailureZone;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of which prefixes a program may host: none of Callboard's own, and each by one class. */
class HostedPrefixesTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();
  private Callboard callboard;

  @BeforeEach
  void start() {
    callboard = nodes.open("one");
  }

  private Future<Void> host(String prefix, Supplier<? extends Actor<Sell>> factory) {
    return callboard.host(prefix, factory, new ActorOptions());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/callboard", "/cells", "/from", "/grid", "/jobs", "/sources", "/workflows"})
  void noOtherActorsAreInTheSpacesOfCallboard(String space) {
    for (String path : new String[] {space, space + "/mine"}) {
      assertThatThrownBy(() -> await(host(path, Shop::new)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll(
              path, "/callboard, /cells, /from, /grid, /jobs, /sources, /workflows", "Shop");
    }
    assertThatThrownBy(() -> await(callboard.spawn(space + "/mine", Shop::new)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(space + "/mine", "/workflows", "Shop");
    await(callboard.spawn("/mine" + space, Shop::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/callboard", "/cells", "/from", "/grid", "/jobs", "/sources", "/workflows"})
  void noProgramSupervisesInTheSpacesOfCallboard(String space) {
    for (String path : new String[] {space, space + "/mine"}) {
      assertThatThrownBy(() -> await(Shops.supervise(callboard, path)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll(
              path,
              "/callboard, /cells, /from, /grid, /jobs, /sources, /workflows",
              "a failure zone of",
              "Shops");
    }
    await(Shops.supervise(callboard, "/mine" + space));
    await(callboard.supervise(space + "/own", new FailureZone())); // as Callboard's own rooms may
  }

  @Test
  void aPrefixIsHostedByOneClass() {
    await(host("/shops", Shop::new));
    await(host("/shops", Shop::new));
    for (String prefix : new String[] {"/shops", "/shops/north"}) {
      assertThatThrownBy(() -> await(host(prefix, Bazaar::new)))
          .isInstanceOfSatisfying(
              CallboardException.class,
              failure -> assertThat(failure.code()).isEqualTo(Code.PATH_TAKEN))
          .hasMessageMatching(
              ".*%s.*Bazaar.*HostedPrefixesTest.java:\\d+.*Shop.*HostedPrefixesTest.java:\\d+.*"
                  .formatted(prefix));
    }
    assertThat(await(callboard.durableRef("/shops/1", Sell.class).tell(new Sell(1)))).isNull();
    Eventually.assertThat(
        () ->
            assertThat(callboard.admin().running(ActorPath.of("/shops/1")))
                .hasValueSatisfying(
                    status -> assertThat(status.type()).isEqualTo(Shop.class.getName())));
  }

  @Test
  void aNarrowerPrefixIsHostedBeforeTheWiderOne() {
    await(host("/bazaars/north", Bazaar::new));
    await(host("/bazaars", Shop::new));
  }
}
