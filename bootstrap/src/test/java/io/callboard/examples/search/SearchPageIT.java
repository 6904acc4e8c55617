package io.callboard.examples.search;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import io.callboard.CallboardOptions;
import io.callboard.testkit.Futures;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page in a real browser; skipped without one. */
@Tag("long")
@Tag("real")
class SearchPageIT {
  private static final Path BROWSER = Path.of("/usr/bin/chromium");
  private static final double PATIENCE_MS = 15_000;

  private final List<String> complaints = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(
      value = ColorScheme.class,
      names = {"LIGHT", "DARK"})
  void hitsAreShownAsTextWithTheirMatchesMarked(ColorScheme colours) throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(BROWSER), "there is no browser at " + BROWSER);
    Path parent = Files.createDirectories(Path.of("target", "search"));
    Path directory = Files.createTempDirectory(parent, "page-");
    Path documents = Documents.make(directory.resolve("documents"), 60);
    Files.writeString(
        documents.resolve("evil.txt"), "before <img src=x onerror=document.title='bad'> after");
    Vertx vertx = Vertx.vertx();
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
    try (Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions()
                .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")))) {
      SearchService service =
          Futures.await(
              SearchService.start(
                  vertx,
                  new CallboardOptions().name("search"),
                  new SearchOptions(directory.resolve("data")).documents(documents),
                  line -> {}));
      Browser browser =
          playwright
              .chromium()
              .launch(
                  new BrowserType.LaunchOptions()
                      .setExecutablePath(BROWSER)
                      .setArgs(List.of("--no-sandbox", "--disable-gpu")));
      Page page =
          browser.newPage(
              new Browser.NewPageOptions().setColorScheme(colours).setViewportSize(390, 800));
      page.setDefaultTimeout(PATIENCE_MS);
      page.onConsoleMessage(message -> complaints.add(message.text()));
      page.onPageError(error -> complaints.add(error));
      page.onRequest(
          request -> {
            if (!request.url().startsWith(service.url()) && !request.url().startsWith("data:")) {
              complaints.add(request.url());
            }
          });
      walk(page, service.url(), colours);
      Futures.await(service.close());
    } finally {
      Futures.await(vertx.close());
    }
    Assertions.assertThat(complaints).hasSize(1).first().asString().contains("400 (Bad Request)");
  }

  /** Asks again while an answer lacks a part that was too slow, as on a busy machine. */
  private static void untilWhole(Page page) {
    Locator state = page.locator("#state");
    for (int i = 0; i < 10; i++) {
      assertThat(state).containsText(Pattern.compile("hits? in \\d+ ms"));
      if (!state.innerText().contains("Partial")) {
        return;
      }
      page.reload();
    }
    assertThat(state).not().containsText("Partial");
  }

  private static void walk(Page page, String url, ColorScheme colours) throws Exception {
    page.navigate(url + "?q=onerror");
    untilWhole(page);
    assertThat(page.locator("#state")).containsText(Pattern.compile("^1 hits in \\d+ ms"));
    assertThat(page.locator("#hits h2")).hasText("evil.txt");
    assertThat(page.locator("#hits mark")).hasText("onerror");
    assertThat(page.locator("#hits p")).containsText("before <img src=x onerror=");
    assertThat(page.locator("#hits img")).hasCount(0);
    assertThat(page).hasTitle("Search");
    // on a busy machine the first answers may take so long that the other tree takes over
    assertThat(page.locator("#trees")).containsText(Pattern.compile("tree [ab]: running, serves"));

    page.locator("#hits").click();
    page.keyboard().press("/");
    page.keyboard().type("tree AND mailbox");
    page.keyboard().press("Enter");
    untilWhole(page);
    assertThat(page.locator("#state")).containsText(Pattern.compile("answered by tree [ab]"));
    assertThat(page.locator("#hits li")).hasCount(20);
    page.locator("h1").click();
    page.keyboard().press("j");
    assertThat(page.locator("#hits li").first()).isFocused();
    Path shots = Files.createDirectories(Path.of("target", "screenshots"));
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(shots.resolve("search-%s.png".formatted(colours).toLowerCase(Locale.ROOT))));
    Assertions.assertThat(
            page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
        .isEqualTo(true);

    page.locator("#q").fill("tree AND (");
    page.keyboard().press("Enter");
    assertThat(page.locator("#state")).containsText("Encountered");
  }
}
