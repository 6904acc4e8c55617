package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.callboard.testkit.Futures.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.bootstrap.Shop.Sell;
import io.callboard.examples.embedding.Embedding;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.LimitAction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Failure zones of another node, which has no page of its own, on the page of this one, in a real
 * browser; skipped without one.
 */
@Tag("long")
@Tag("real")
class OtherNodePageIT {
  private static final Route.FulfillOptions NODES_WITH_PAGES =
      new Route.FulfillOptions()
          .setContentType("application/json")
          .setBody("{\"items\":[{\"name\":\"b\",\"http\":\"http://b/\"}]}");

  @RegisterExtension static final Chromium chromium = new Chromium();

  private CallboardNode here;
  private CallboardNode there;
  private String url;
  private Page page;

  @BeforeEach
  void start() throws Exception {
    here = CallboardNode.start(options("a").zookeeperPort(0));
    there = CallboardNode.start(options("b").zookeeper(here.zookeeper().orElseThrow()));
    url = Embedding.dashboard(here, 0);
    page = chromium.page();
    fill(there.callboard());
  }

  private static NodeOptions options(String name) throws Exception {
    return new NodeOptions()
        .name(name)
        .directory(LaunchedNode.directory("other-node-" + name))
        .shutdownHook(false);
  }

  private static void fill(Callboard node) {
    Backoff minutes = Backoff.exponential(Duration.ofMinutes(10), Duration.ofMinutes(10));
    ActorOptions late = new ActorOptions().backoff(minutes);
    await(node.supervise("/shop", new FailureZone()));
    ActorRef<Sell> till = await(node.spawn("/shop/till", Shop.Clerk::new, late));
    await(node.supervise("/shop/store", new FailureZone()));
    for (int i = 0; i < 20; i++) {
      var unused = await(node.spawn("/shop/store/box-%02d".formatted(i), Shop.Clerk::new, late));
    }
    await(till.tell(new Sell("maps")));
  }

  @AfterEach
  void stop() {
    chromium.closePages();
    if (there != null) {
      there.close();
    }
    if (here != null) {
      here.close();
    }
  }

  private void open(String view) {
    page.navigate("%s/#%s".formatted(url.replaceAll("/$", ""), view));
  }

  private Locator row(String key) {
    return page.getByTestId("tree").locator("tr[data-key='%s']".formatted(key));
  }

  @Test
  void aZoneOpensWithItsContentsAndThoseOpenThere() {
    open("/actors/shop?node=b");
    assertThat(page.getByTestId("actor-state")).hasText("Running");
    assertThat(page.getByTestId("next-attempt")).hasText("on node b");
    assertThat(row("/shop/till")).containsText("Waits to restart");
    assertThat(row("/shop/till")).containsText("there are no maps");
    assertThat(row("zone:/shop/store")).containsText("20 actors");
    assertThat(row("/shop/store/box-19")).containsText("Running");
    row("zone:/shop/store").locator("button").click();
    assertThat(row("/shop/store/box-19")).hasCount(0);

    row("/shop/till").locator("a").click();
    assertThat(page).hasURL(url.replaceAll("/$", "") + "/#/actors/shop/till?node=b");
    assertThat(page.getByTestId("history")).containsText("there are no maps");
    page.getByTestId("action-resume").click();
    Chromium.yes(page);
    assertThat(page.getByTestId("actor-state")).hasText("Running");
    page.getByTestId("actor-facts").getByText("/shop").click();
    assertThat(page.locator("h1")).hasText("/shop");
    assertThat(row("/shop/till")).containsText("Running");
    Looks.well(page, "zone-of-other-light-1280.png");
  }

  @Test
  void itsContentsAreAlsoAPictureInWhichOthersAreNotSearchedForHere() {
    open("/actors/shop/store?node=b");
    page.getByTestId("as-picture").click();
    assertThat(page).hasURL(url.replaceAll("/$", "") + "/#/actors/shop/store?node=b&as=picture");
    Locator group = page.locator("svg [data-key='group:/shop/store:RUNNING']");
    assertThat(group).containsText("20 running");
    assertThat(group.locator("a")).hasCount(0);
    assertThat(group.locator("title")).containsText("node b has no page that lists them");
    open("/actors/shop?node=b&as=picture");
    page.locator("svg [data-key='/shop/till'] > a").click();
    assertThat(page).hasURL(url.replaceAll("/$", "") + "/#/actors/shop/till?node=b");
  }

  @Test
  void theHeaderLeadsToANodeThatHasAPage() {
    page.route("**/api/v1/nodes", route -> route.fulfill(NODES_WITH_PAGES));
    open("/actors/shop/store?node=b&as=picture");
    Locator group = page.locator("svg [data-key='group:/shop/store:RUNNING']");
    assertThat(group.locator("title")).containsText("choose node b in the header");
  }

  @Test
  void contentsAreThereBeforeItIsKnownWhetherTheirNodeHasAPage() {
    CompletableFuture<Route> asked = new CompletableFuture<>();
    page.route("**/api/v1/nodes", asked::complete);
    open("/actors/shop/store?node=b&as=picture");
    Locator group = page.locator("svg [data-key='group:/shop/store:RUNNING']");
    assertThat(group).containsText("20 running");
    assertThat(group.locator("title")).containsText("the page of node b lists them, if it has one");
    page.waitForCondition(asked::isDone);
    asked.join().fulfill(NODES_WITH_PAGES);
    assertThat(group.locator("title")).containsText("choose node b in the header");
  }

  @Test
  void aZoneThatFailedAsAWholeTellsHow() {
    Callboard node = there.callboard();
    FailureZone none = new FailureZone().intensity(0, Duration.ofMinutes(1));
    await(node.supervise("/mall", none.whenOver(LimitAction.PARK)));
    await(node.supervise("/mall/kiosk", new FailureZone().intensity(0, Duration.ofMinutes(1))));
    ActorRef<Sell> clerk = await(node.spawn("/mall/kiosk/clerk", Shop.Clerk::new));
    await(clerk.tell(new Sell("keys")));
    open("/actors/mall?node=b");
    assertThat(page.getByTestId("actor-state")).hasText("Failed");
    row("zone:/mall/kiosk").locator("a").click();
    assertThat(page.getByTestId("history")).containsText("The zone as a whole failed");
    assertThat(page.getByTestId("history")).containsText("there are no keys");
    assertThat(row("/mall/kiosk/clerk")).isVisible();
  }

  @Test
  void aZoneOfANodeThatHasLeftIsNotShownAsIfItWereThere() {
    open("/actors/shop?node=b");
    assertThat(row("/shop/till")).isVisible();
    there.close();
    assertThat(page.getByTestId("actor-problem"))
        .containsText("No node that answers has an actor or a failure zone with this path");
    assertThat(row("/shop/till")).isHidden();
  }
}
