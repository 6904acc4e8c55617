package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real browser for the tests of a class, whose pages must not complain on the console. To be
 * registered in a static field: it is launched before what the class starts for all tests, and
 * looks at the complaints after what the class does after each.
 */
final class Chromium implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
  private static final List<Path> EXECUTABLES =
      List.of(
          Path.of("/usr/bin/chromium"),
          Path.of("/usr/bin/chromium-browser"),
          Path.of("/usr/bin/google-chrome"));
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int HEIGHT = 900;

  private final Duration patience;
  private final List<String> complaints = new ArrayList<>();
  private Playwright playwright;
  private Browser browser;

  /** Creates one for tests of running nodes. */
  Chromium() {
    this(PATIENCE);
  }

  /**
   * Creates one for tests in which nodes start and end.
   *
   * @param patience how long pages and assertions about them wait
   */
  Chromium(Duration patience) {
    this.patience = patience;
  }

  /**
   * Launches it. Without one the tests are skipped, or fail with {@code
   * CALLBOARD_REQUIRE_BROWSER=true} in the environment.
   */
  @Override
  public void beforeAll(ExtensionContext context) {
    Optional<Path> executable = EXECUTABLES.stream().filter(Files::isExecutable).findFirst();
    if (executable.isEmpty()) {
      String why = "this is NOT tested: there is no browser at any of " + EXECUTABLES;
      if ("true".equals(System.getenv("CALLBOARD_REQUIRE_BROWSER"))) {
        throw new AssertionError(why);
      }
      Assumptions.abort(why);
    }
    PlaywrightAssertions.setDefaultAssertionTimeout(patience.toMillis());
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(executable.orElseThrow())
                    .setArgs(List.of("--no-sandbox", "--disable-gpu")));
  }

  Page page(ColorScheme colours, int width) {
    Page page = unheard(colours, width);
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error") || message.type().equals("warning")) {
            complaints.add(message.text() + " " + message.location());
          }
        });
    page.onPageError(complaints::add);
    return page;
  }

  Page page() {
    return page(ColorScheme.LIGHT, 1280);
  }

  /** A page that may ask nobody but this node. */
  Page page(LaunchedNode node, ColorScheme colours, int width) {
    Page page = page(colours, width);
    page.onRequest(
        request -> {
          if (!request.url().startsWith(node.url())) {
            complaints.add("asks " + request.url());
          }
        });
    return page;
  }

  /** A page whose node dies, and which may complain of that. */
  Page unheard() {
    return unheard(ColorScheme.LIGHT, 1280);
  }

  private Page unheard(ColorScheme colours, int width) {
    BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions().setColorScheme(colours).setViewportSize(width, HEIGHT));
    Page page = context.newPage();
    page.setDefaultTimeout(patience.toMillis());
    return page;
  }

  /** Opens a view and waits until the page hears of the node. */
  static void open(Page page, LaunchedNode node, String view) {
    page.navigate(node.url() + "/#" + view);
    assertThat(page.getByTestId("live")).hasAttribute("data-status", "live");
  }

  static Locator row(Page page, String table, String key) {
    return page.getByTestId(table).locator("tr[data-key='%s']".formatted(key));
  }

  static void act(Page page, Locator row, String verb) {
    row.locator("button[data-verb=%s]".formatted(verb)).click();
    assertThat(page.getByTestId("confirm")).isVisible();
  }

  static void yes(Page page) {
    page.getByTestId("confirm-yes").click();
  }

  /** Views in both schemes and at 390 px, each filling the page and no more, as pictures. */
  void pictures(LaunchedNode node, Map<String, String> views) {
    pictures(node, views, ColorScheme.LIGHT, 1280);
    pictures(node, views, ColorScheme.DARK, 1280);
    pictures(node, views, ColorScheme.LIGHT, 390);
    pictures(node, views, ColorScheme.DARK, 390);
  }

  private void pictures(
      LaunchedNode node, Map<String, String> views, ColorScheme colours, int width) {
    Page page = page(colours, width);
    String scheme = colours.name().toLowerCase(Locale.ROOT);
    views.forEach(
        (name, view) -> {
          open(page, node, view);
          picture(page, "%s-%s-%d.png".formatted(name, scheme, width));
        });
    page.context().close();
  }

  private static void picture(Page page, String file) {
    Locator drawn = page.locator("main .table tbody tr, main .table .empty:not([hidden])");
    assertThat(drawn.filter(new Locator.FilterOptions().setHasNotText("Not read.")).first())
        .isVisible();
    Looks.well(page, file);
  }

  /** Forgets what the browser itself says of an answer that a test gives. */
  void forgive(int status) {
    complaints.removeIf(text -> text.contains("status of " + status));
  }

  /** Forgets what the browser says of an error that a test provokes. */
  void forgive(String part) {
    complaints.removeIf(text -> text.contains(part));
  }

  /** Closes all pages, before their node ends: they would complain of that. */
  void closePages() {
    browser.contexts().forEach(BrowserContext::close);
  }

  /** Closes all pages and asserts that none has complained; forgets what they complained of. */
  @Override
  public void afterEach(ExtensionContext context) {
    closePages();
    List<String> heard = List.copyOf(complaints);
    complaints.clear();
    assertThat(heard).as("errors on the console, requests to others").isEmpty();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (playwright != null) {
      playwright.close();
    }
  }
}
