package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.callboard.bootstrap.Chromium.open;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How often a real browser asks for the files of the page, and what it does with old ones. */
@Tag("long")
@Tag("real")
class AssetsPageIT {
  /** Files that were not taken from the browser's cache; one that is has no size of a transfer. */
  private static final String ASKED_FOR =
      """
      performance.getEntriesByType('resource')
        .filter((each) => each.name.includes('/assets/') && each.transferSize > 0)
        .map((each) => each.name)""";

  private static final String ALL =
      "performance.getEntriesByType('resource').filter((e) => e.name.includes('/assets/')).length";

  @RegisterExtension static final Chromium chromium = new Chromium();
  private static LaunchedNode node;

  @BeforeAll
  static void start() throws Exception {
    node = LaunchedNode.start(LaunchedNode.directory("assets-page"), "--name", "stage-1");
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  @Test
  void aSecondLoadAsksForThePageAlone() {
    Page page = chromium.page();
    open(page, node, "/");
    assertThat((List<?>) page.evaluate(ASKED_FOR)).as("of the first").hasSizeGreaterThan(10);
    page.navigate("about:blank");
    open(page, node, "/");
    assertThat(((Number) page.evaluate(ALL)).intValue()).isGreaterThan(10);
    assertThat((List<?>) page.evaluate(ASKED_FOR)).as("of the second").isEmpty();
  }

  @Test
  void aPageWhoseNodeHasAnotherVersionIsLoadedAnewWithTheViewThatWasWanted() {
    Page page = chromium.page();
    AtomicInteger loads = replaced(page, new Route.FulfillOptions().setStatus(404));
    page.getByTestId("nav-mailboxes").click();
    assertThat(page.locator("h1")).hasText("Mailboxes");
    assertThat(loads.get()).isEqualTo(2);
    chromium.forgive(404);
    chromium.forgive("Failed to load module script");
  }

  @Test
  void soItIsIfAnotherPageIsAnsweredInPlaceOfAFile() {
    Page page = chromium.page();
    AtomicInteger loads =
        replaced(
            page,
            new Route.FulfillOptions().setContentType("text/html").setBody("<p>not here</p>"));
    page.getByTestId("nav-mailboxes").click();
    assertThat(page.locator("h1")).hasText("Mailboxes");
    assertThat(loads.get()).isEqualTo(2);
    chromium.forgive("Failed to load module script");
  }

  @Test
  void soItIsForTheSearch() {
    Page page = chromium.page();
    AtomicInteger loads = replaced(page, new Route.FulfillOptions().setStatus(404));
    page.locator("#find").click();
    page.waitForCondition(() -> loads.get() == 2);
    assertThat(page.getByTestId("live")).hasAttribute("data-status", "live");
    page.locator("#find").click();
    assertThat(page.getByTestId("find-text")).isVisible();
    assertThat(loads.get()).isEqualTo(2);
    chromium.forgive(404);
    chromium.forgive("Failed to load module script");
  }

  @Test
  void withoutStorageNothingIsLoadedAnewAndNothingFails() {
    Page page = chromium.page();
    page.addInitScript(
        "Object.defineProperty(window, 'sessionStorage',"
            + " { get() { throw new DOMException('blocked', 'SecurityError'); } })");
    AtomicInteger loads = replaced(page, new Route.FulfillOptions().setStatus(404));
    page.getByTestId("nav-mailboxes").click();
    assertThat(page.getByTestId("view-problem")).containsText("restarted with another version");
    answered(page);
    assertThat(loads.get()).isEqualTo(1);
    chromium.forgive(404);
    chromium.forgive("Failed to load module script");
  }

  /**
   * Opens the page, whose files are then replaced until it is loaded anew.
   *
   * @return how often it was loaded
   */
  private static AtomicInteger replaced(Page page, Route.FulfillOptions instead) {
    AtomicBoolean gone = new AtomicBoolean();
    AtomicInteger loads = new AtomicInteger();
    page.route(
        "**/assets/**",
        route -> {
          if (gone.get()) {
            route.fulfill(instead);
          } else {
            route.resume();
          }
        });
    page.onRequest(
        request -> {
          if (request.isNavigationRequest()) {
            loads.incrementAndGet();
            gone.set(false);
          }
        });
    open(page, node, "/");
    gone.set(true);
    return loads;
  }

  /** Waits until the page has handled the answers that it has; fails if it is loaded anew. */
  private static void answered(Page page) {
    page.evaluate("() => fetch('./').then(() => new Promise((done) => setTimeout(done, 300)))");
  }

  @Test
  void aPageThatIsLoadedAnewInVainSaysSoAndDoesNotTryForEver() {
    Page page = chromium.page();
    AtomicInteger loads = new AtomicInteger();
    AtomicInteger checks = new AtomicInteger();
    page.onRequest(
        request -> {
          if (request.isNavigationRequest()) {
            loads.incrementAndGet();
          }
        });
    open(page, node, "/");
    page.route(
        "**/js/mailboxes.js", route -> route.fulfill(new Route.FulfillOptions().setStatus(404)));
    page.route(
        "**/js/placeholder.js",
        route -> {
          if (route.request().resourceType().equals("fetch")) {
            checks.incrementAndGet();
            route.fulfill(new Route.FulfillOptions().setStatus(404));
          } else {
            route.resume();
          }
        });
    page.getByTestId("nav-mailboxes").click();
    page.waitForCondition(() -> loads.get() == 2);
    assertThat(page.getByTestId("view-problem")).containsText("restarted with another version");
    assertThat(page.getByTestId("live")).hasAttribute("data-status", "live");
    page.waitForCondition(() -> checks.get() == 2);
    answered(page);
    assertThat(loads.get()).isEqualTo(2);
    chromium.forgive(404);
    chromium.forgive("Failed to load module script");
  }
}
