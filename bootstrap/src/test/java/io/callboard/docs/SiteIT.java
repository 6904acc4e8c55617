package io.callboard.docs;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The site of the documentation in a real browser, from files. Without a browser it is skipped;
 * with {@code CALLBOARD_REQUIRE_BROWSER=true} in the environment it fails instead.
 */
@Tag("long")
class SiteIT {
  private static final Path BROWSER = Path.of("/usr/bin/chromium");

  @TempDir private static Path site;
  private static Playwright playwright;
  private static Browser browser;

  private final List<String> loaded = new CopyOnWriteArrayList<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private Page page;

  @BeforeAll
  static void start() throws Exception {
    PlaywrightAssertions.setDefaultAssertionTimeout(30_000);
    if (!Files.isExecutable(BROWSER)) {
      String why = "the site is NOT tested: there is no browser at " + BROWSER;
      if ("true".equals(System.getenv("CALLBOARD_REQUIRE_BROWSER"))) {
        throw new AssertionError(why);
      }
      System.err.println(why);
      Assumptions.abort(why);
    }
    new Site(Path.of(System.getProperty("user.dir")).getParent()).write(site);
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(BROWSER)
                    .setArgs(List.of("--headless", "--no-sandbox", "--disable-gpu")));
  }

  @AfterAll
  static void stop() {
    if (playwright != null) {
      playwright.close();
    }
  }

  @BeforeEach
  void open() {
    page = browser.newPage();
    page.onRequest(request -> loaded.add(request.url()));
    page.onConsoleMessage(message -> complaints.add(message.text()));
    page.onPageError(complaints::add);
    page.navigate(site.resolve("guides/zones.html").toUri().toString());
  }

  @Test
  void searchFindsASectionByItsWordsAndLeadsToIt() {
    page.keyboard().press("/");
    page.keyboard().type("jitter backoff");
    Locator first = page.locator("#results a").first();
    assertThat(first).containsText("Backoff");
    page.keyboard().press("ArrowDown");
    assertThat(first).isFocused();
    page.keyboard().press("Enter");
    page.waitForURL("**/actors.html#backoff");
    assertThat(page.locator("h1")).hasText("Actors: reference");
    assertThat(loaded)
        .isNotEmpty()
        .allMatch(url -> url.startsWith("file:") || url.equals("data:,"));
    assertThat(complaints).isEmpty();
  }

  @Test
  void searchSaysThatNothingWasFound() {
    page.locator("#search").fill("zzzzzz");
    assertThat(page.locator("#results")).hasText("Nothing has all of these words.");
    page.locator("#search").press("Escape");
    assertThat(page.locator("#results")).isHidden();
  }

  @Test
  void thePageIsDarkWhereTheSystemIs() {
    String background = "() => getComputedStyle(document.body).backgroundColor";
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
    assertThat(page.evaluate(background)).isEqualTo("rgb(255, 254, 251)");
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
    assertThat(page.evaluate(background)).isEqualTo("rgb(18, 22, 26)");
  }

  @Test
  void nothingIsWiderThanANarrowScreen() {
    page.setViewportSize(390, 800);
    for (String each : List.of("README", "actors", "reference/rest", "reference/store", "grid")) {
      page.navigate(site.resolve(each + ".html").toUri().toString());
      assertThat(page.evaluate("() => document.documentElement.scrollWidth"))
          .as("width of " + each)
          .isEqualTo(390);
      assertThat(page.locator("nav h2").first()).isHidden();
    }
  }
}
