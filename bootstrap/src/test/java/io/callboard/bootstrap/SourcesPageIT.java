package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The view of sources in a real browser; skipped without one. */
class SourcesPageIT {
  private static final Path BROWSER = Path.of("/usr/bin/chromium");
  private static final double PATIENCE_MS = 30_000;

  private final List<String> complaints = new ArrayList<>();

  @BeforeAll
  static void findBrowser() {
    if (!Files.isExecutable(BROWSER)) {
      String why = "the view of sources is NOT tested: there is no browser at " + BROWSER;
      if ("true".equals(System.getenv("CALLBOARD_REQUIRE_BROWSER"))) {
        throw new AssertionError(why);
      }
      Assumptions.abort(why);
    }
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
  }

  private Page page(Browser browser, ColorScheme colours, int width) {
    Page page =
        browser.newPage(
            new Browser.NewPageOptions().setColorScheme(colours).setViewportSize(width, 850));
    page.setDefaultTimeout(PATIENCE_MS);
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error") || message.type().equals("warning")) {
            complaints.add(message.text());
          }
        });
    page.onPageError(complaints::add);
    return page;
  }

  private static void looksWell(Page page, String name) {
    Object tooWide =
        page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assertThat(tooWide).as(name).isEqualTo(0);
    Pictures.take(page, name);
  }

  @Test
  void aSourceIsPausedDrainedAndResumed() throws Exception {
    Path home = RunningNode.directory("sources-page");
    Path conf =
        Files.writeString(
            home.resolve("node.yaml"),
            """
            sources:
              files:
                kind: directory
                settings: {path: "%s"}
                start: {job: process, command: ["true"]}
              inbox: {kind: http, start: {workflow: greet}}
            """
                .formatted(Files.createDirectory(home.resolve("in"))));
    try (Playwright playwright =
            Playwright.create(
                new Playwright.CreateOptions()
                    .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        Browser browser =
            playwright
                .chromium()
                .launch(
                    new BrowserType.LaunchOptions()
                        .setExecutablePath(BROWSER)
                        .setArgs(List.of("--no-sandbox", "--disable-gpu")));
        RunningNode node = RunningNode.start(home.resolve("data"), "--conf", conf.toString())) {
      Page page = page(browser, ColorScheme.LIGHT, 1280);
      page.navigate(node.url() + "/");
      page.getByTestId("nav-sources").click();
      Locator files = page.getByTestId("sources").locator("tr[data-key=files]");
      assertThat(files).containsText("Polling");
      assertThat(page.getByTestId("sources").locator("tr[data-key=inbox]"))
          .containsText("Accepting");
      files.locator("button[data-verb=pause]").click();
      assertThat(page.getByTestId("sources-done")).containsText("files: pause was accepted");
      assertThat(files).containsText("Paused it was paused by a client at 127.0.0.1");
      files.locator("button[data-verb=resume]").click();
      assertThat(files).containsText("Polling");
      files.locator("button[data-verb=drain]").click();
      page.getByTestId("confirm-yes").click();
      assertThat(files).containsText("Drained");
      for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        for (int width : List.of(1280, 390)) {
          Page view = page(browser, colours, width);
          view.navigate(node.url() + "/#/sources");
          assertThat(view.getByTestId("sources").locator("tr[data-key=files]"))
              .containsText("Drained");
          looksWell(
              view, "sources-%s-%d.png".formatted(colours.name().toLowerCase(Locale.ROOT), width));
        }
      }
      assertThat(complaints).as("errors on the console").isEmpty();
    }
  }
}
