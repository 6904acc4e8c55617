package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.HasTextOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.IsVisibleOptions;
import io.callboard.ActorOptions;
import io.callboard.examples.embedding.Embedding;
import io.callboard.examples.visitors.Visitor;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import io.callboard.testkit.Futures;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The page of an embedded node, which has no job scheduler, in a real browser; skipped without one.
 */
@Tag("long")
@Tag("real")
class EmbeddedPageIT {
  private static final double PATIENCE_MS = 30_000;

  @RegisterExtension static final Chromium chromium = new Chromium();

  @Test
  void jobsAreLeftOut() {
    try (CallboardNode node =
        CallboardNode.start(new NodeOptions().name("own").shutdownHook(false))) {
      Futures.await(node.callboard().spawn("/visitors/ann", Visitor::new, new ActorOptions()));
      Page page = chromium.page();
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
      chromium.closePages();
    }
  }
}
