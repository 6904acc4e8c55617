package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.LocatorAssertions.HasTextOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.IsVisibleOptions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.callboard.ActorOptions;
import io.callboard.examples.embedding.Embedding;
import io.callboard.examples.visitors.Visitor;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import io.callboard.testkit.Futures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The page of an embedded node, which has no job scheduler, in a real browser; skipped without one.
 */
class EmbeddedPageIT {
  private static final Path BROWSER = Path.of("/usr/bin/chromium");
  private static final double PATIENCE_MS = 30_000;

  @BeforeAll
  static void browser() {
    PlaywrightAssertions.setDefaultAssertionTimeout(30_000);
    Assumptions.assumeTrue(Files.isExecutable(BROWSER), "there is no browser at " + BROWSER);
  }

  @Test
  void jobsAreLeftOut() {
    try (CallboardNode node =
            CallboardNode.start(new NodeOptions().name("own").shutdownHook(false));
        Playwright playwright =
            Playwright.create(
                new Playwright.CreateOptions()
                    .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")))) {
      Futures.await(node.callboard().spawn("/visitors/ann", Visitor::new, new ActorOptions()));
      Browser browser =
          playwright
              .chromium()
              .launch(
                  new BrowserType.LaunchOptions()
                      .setExecutablePath(BROWSER)
                      .setArgs(List.of("--headless", "--no-sandbox", "--disable-gpu")));
      Page page = browser.newPage();
      page.navigate(Embedding.dashboard(node, 0));

      IsVisibleOptions patient = new IsVisibleOptions().setTimeout(PATIENCE_MS);
      assertThat(page.getByTestId("node"))
          .hasText("own", new HasTextOptions().setTimeout(PATIENCE_MS));
      assertThat(page.getByTestId("actors-by-state").locator("li").first()).isVisible(patient);
      assertThat(page.getByTestId("nav-actors")).isVisible(patient);
      assertThat(page.getByTestId("nav-jobs")).isHidden();
      for (String ofJobs :
          List.of("tile-running", "tile-started", "jobs-card", "hosts-card", "first-job")) {
        assertThat(page.getByTestId(ofJobs)).isHidden();
      }
      page.getByTestId("nav-actors").click();
      assertThat(page.getByText("/visitors").first()).isVisible(patient);
      browser.close();
    }
  }
}
