package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions.ContainsTextOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.HasAttributeOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.HasCountOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.IsVisibleOptions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.callboard.codecs.Json;
import io.callboard.testkit.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The page of a running node in a real browser. Without one it is skipped, and says so; with {@code
 * CALLBOARD_REQUIRE_BROWSER=true} in the environment it fails instead.
 */
@Tag("real")
class DashboardIT {
  private static final Map<String, String> NAMES =
      Map.of("/", "overview", "/jobs", "jobs", "/mailboxes", "mailboxes");
  private static final Pattern SOME_RATE = Pattern.compile("^\\d*[.1-9]\\d*/s$");
  private static final double PATIENCE_MS = 30_000;

  @RegisterExtension static final Chromium chromium = new Chromium();
  private static LaunchedNode node;

  @BeforeAll
  static void start() throws Exception {
    node = LaunchedNode.start(LaunchedNode.directory("dashboard"), "--name", "stage-1");
    assertThat(node.send("PUT", "/api/v1/types/etl", "{\"limit\":1}").statusCode()).isEqualTo(200);
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  private static Page page(ColorScheme colours, int width) {
    return chromium.page(node, colours, width);
  }

  private static Page page() {
    return page(ColorScheme.LIGHT, 1280);
  }

  private static void open(Page page, String view) {
    page.navigate(node.url() + "/#" + view);
    assertThat(page.getByTestId("live"))
        .hasAttribute("data-status", "live", new HasAttributeOptions().setTimeout(PATIENCE_MS));
  }

  private static String submit(String type, String script) throws Exception {
    byte[] body =
        Json.bytes(
            Map.of(
                "type", type,
                "command", List.of("sh", "-c", script),
                "labels", Map.of("team", "stage")));
    var response = node.send("POST", "/api/v1/jobs", new String(body, StandardCharsets.UTF_8));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    return Json.parse("the job", response.body().getBytes(StandardCharsets.UTF_8))
        .path("id")
        .asText();
  }

  private static void shows(Locator element, String text) {
    assertThat(element).containsText(text, new ContainsTextOptions().setTimeout(PATIENCE_MS));
  }

  private static void isThere(Locator element) {
    assertThat(element).isVisible(new IsVisibleOptions().setTimeout(PATIENCE_MS));
  }

  @Test
  void showsTheNodeAndWhatItDoesWithoutBeingAskedAgain() throws Exception {
    Page page = page();
    open(page, "/");
    shows(page.getByTestId("node"), "stage-1");
    shows(page.getByTestId("members"), "stage-1");
    isThere(page.getByTestId("chart-runs"));
    Path over = LaunchedNode.directory("flag").resolve("over");
    String id = submit("process", "while ! [ -e '%s' ]; do sleep 0.1; done".formatted(over));
    shows(page.getByTestId("jobs-by-state"), "Running");
    Files.createFile(over);
    shows(page.getByTestId("jobs-by-state"), "Succeeded");
    page.getByTestId("nav-jobs").click();
    shows(page.locator("tr[data-key='%s']".formatted(id)), "Succeeded");
  }

  @Test
  @Tag("long")
  void chartsWhatHappenedOverTime() throws Exception {
    Page page = page();
    open(page, "/");
    isThere(page.getByTestId("plot-runs"));
    for (int i = 0; i < 20; i++) {
      submit("process", i % 10 == 0 ? "exit 1" : "true");
    }
    assertThat(node.send("PUT", "/api/v1/types/charted", "{\"limit\":1}").statusCode())
        .isEqualTo(200);
    for (String verb : List.of("pause", "resume")) {
      assertThat(node.send("POST", "/api/v1/types/charted/" + verb, "").statusCode())
          .isEqualTo(200);
    }
    Locator table = page.getByTestId("table-runs");
    table.locator("summary").click();
    isThere(rates(table).first());
    assertThat(page.locator("[data-testid=chart-runs] .curve[data-name=started]"))
        .hasAttribute("d", Pattern.compile(".*M.*"));
    isThere(table.locator("tbody").getByText("type paused charted").first());
    assertThat(page.locator("[data-testid=plot-runs] .event[data-kind=TYPE_PAUSED]")).hasCount(1);
    assertThat(page.locator("[data-testid=chart-failures] .curve[data-name=runs]"))
        .hasAttribute("d", Pattern.compile(".*M.*"));

    Locator plot = page.getByTestId("plot-runs");
    plot.focus();
    page.keyboard().press("ArrowLeft");
    shows(page.getByTestId("readout-runs"), "started ");
    assertThat(plot).hasAttribute("aria-valuetext", Pattern.compile(".* started .*/s, ended .*"));
    page.keyboard().press("Home");
    shows(page.getByTestId("readout-runs"), "not measured");

    page.getByTestId("range-1h").press("Enter");
    assertThat(page.getByTestId("charts")).hasAttribute("data-range", "1h");
    assertThat(page.getByTestId("range-1h")).hasAttribute("aria-pressed", "true");
    shows(page.getByTestId("charts-since"), "Measured by node stage-1 since ");
    shows(page.getByTestId("charts-since"), "in steps of 20 s");
    isThere(rates(table).first());
    page.getByTestId("range-24h").click();
    assertThat(page.getByTestId("charts")).hasAttribute("data-range", "24h");
    shows(page.getByTestId("charts-since"), "in steps of 8 min");
    isThere(rates(table).first());
    Pictures.take(page, "charts-light-1280.png");
  }

  /** Returns the cells of a table of runs in which some have started. */
  private static Locator rates(Locator table) {
    return table
        .locator("tbody tr td:nth-child(2)")
        .filter(new Locator.FilterOptions().setHasText(SOME_RATE));
  }

  @Test
  void followsCancelsAndRepeatsAJob() throws Exception {
    String id =
        submit(
            "process",
            "echo curtain up; i=0; while true; do i=$((i+1)); echo act $i; sleep 0.2; done");
    Page page = page();
    open(page, "/jobs");
    page.locator("tr[data-key='%s'] a".formatted(id)).click();
    assertThat(page).hasURL(Pattern.compile(".*#/jobs/" + id + "$"));
    shows(page.getByTestId("job-state"), "Running");
    shows(page.getByTestId("log"), "curtain up");
    shows(page.getByTestId("log"), "act 5");
    shows(page.getByTestId("events"), "run 1 started");
    page.getByTestId("action-cancel").click();
    page.getByTestId("confirm-yes").click();
    shows(page.getByTestId("job-state"), "Cancelled");
    shows(page.getByTestId("log-state"), "ended");
    page.getByTestId("action-rerun").click();
    shows(page.getByTestId("confirm"), "as run 2");
    page.getByTestId("confirm-yes").click();
    shows(page.getByTestId("job-state"), "Running");
    assertThat(page.getByTestId("runs").locator("tbody tr")).hasCount(2);
    shows(page.getByTestId("log"), "curtain up");
    page.getByTestId("action-cancel").click();
    page.getByTestId("confirm-yes").click();
    shows(page.getByTestId("job-state"), "Cancelled");
  }

  @Test
  void saysWhyAJobWaitsAndFiltersByState() throws Exception {
    String first = submit("etl", "sleep 600");
    JobView.await(node, first, "RUNNING");
    String second = submit("etl", "sleep 601");
    Page page = page();
    open(page, "/jobs/" + second);
    shows(page.getByTestId("why"), "type etl has 1 of 1 runs");
    String third = submit("etl", "sleep 602");
    open(page, "/jobs/" + third);
    shows(page.getByTestId("why"), "place 2 in the queue");
    assertThat(node.send("POST", "/api/v1/jobs/" + second + "/hold", "").statusCode())
        .isEqualTo(202);
    shows(page.getByTestId("why"), "place 1 in the queue"); // though the job has not changed
    assertThat(node.send("POST", "/api/v1/jobs/" + second + "/release", "").statusCode())
        .isEqualTo(202);
    page.getByTestId("nav-jobs").click();
    page.getByTestId("filter-QUEUED").click();
    isThere(page.locator("tr[data-key='%s']".formatted(second)));
    assertThat(page.locator("tr[data-key='%s']".formatted(first))).hasCount(0);
    page.getByTestId("search").fill("nothing like it");
    page.keyboard().press("Enter");
    isThere(page.getByText("No job matches."));
    for (String id : List.of(third, second, first)) {
      assertThat(node.send("POST", "/api/v1/jobs/" + id + "/cancel", "").statusCode())
          .isEqualTo(202);
    }
  }

  @Test
  @Tag("long")
  void pagesBack() throws Exception {
    for (int i = 0; i < 60; i++) {
      submit("process", "true");
    }
    Page page = page();
    open(page, "/jobs");
    assertThat(page.getByTestId("jobs").locator("tbody tr")).hasCount(50);
    String last = page.getByTestId("jobs").locator("tbody tr").last().getAttribute("data-key");
    page.getByTestId("older").click();
    isThere(page.getByTestId("newest"));
    isThere(page.getByTestId("jobs").locator("tbody tr").first());
    assertThat(page.locator("tr[data-key='%s']".formatted(last))).hasCount(0);
    page.getByTestId("newest").click();
    isThere(page.locator("tr[data-key='%s']".formatted(last)));

    List<Route> slow = new CopyOnWriteArrayList<>();
    page.route("**/api/v1/jobs?*", slow::add);
    page.waitForRequest("**/api/v1/jobs?*", () -> page.getByTestId("older").click());
    page.getByTestId("nav-cell").click();
    isThere(page.getByTestId("roles"));
    String late =
        page.waitForResponse("**/api/v1/jobs?*", () -> slow.forEach(Route::resume)).finished();
    assertThat(late).isNull();
    page.evaluate("() => new Promise(requestAnimationFrame)");
    assertThat(page.url()).as("the view that was opened meanwhile").endsWith("#/roles");
  }

  @Test
  void saysThatFiguresAreOldWhenTheNodeIsGone() throws Exception {
    try (LaunchedNode mortal = LaunchedNode.start(LaunchedNode.directory("mortal"))) {
      Page page = chromium.unheard();
      page.navigate(mortal.url() + "/");
      assertThat(page.getByTestId("live")).hasAttribute("data-status", "live");
      assertThat(page.getByTestId("stale-banner")).isHidden();
      mortal.kill();
      shows(page.getByTestId("stale-banner"), "these figures are out of date");
      page.close();
    }
  }

  @Test
  void isUsableByKeyboardAndRemembersItsColours() {
    Page page = page();
    open(page, "/");
    page.keyboard().press("Tab");
    assertThat(page.locator("#skip")).isFocused();
    page.getByTestId("nav-jobs").press("Enter");
    assertThat(page.locator("h1")).isFocused();
    page.keyboard().press("/");
    assertThat(page.getByTestId("find-text")).isFocused();
    page.keyboard().press("Escape");
    assertThat(page.getByTestId("find")).hasCount(0);
    assertThat(page.locator("h1")).isFocused();
    page.getByTestId("theme").click();
    assertThat(page.locator("html")).hasAttribute("data-theme", "light");
    page.getByTestId("theme").click();
    page.reload();
    assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
  }

  @Test
  @Tag("long")
  void loadsAViewWhenItIsWantedAndSaysWhenItCannot() throws Exception {
    Page page = page();
    List<String> asked = new CopyOnWriteArrayList<>();
    page.onRequest(request -> asked.add(request.url()));
    AtomicBoolean away = new AtomicBoolean(true);
    page.route("**/js/mailboxes.js", route -> unlessAway(away, route));
    open(page, "/");
    isThere(page.getByTestId("members"));
    assertThat(asked).noneMatch(url -> url.endsWith("/js/mailboxes.js"));

    page.getByTestId("nav-mailboxes").click();
    shows(page.getByTestId("view-problem"), "The node may be away");
    assertThat(page.locator("h1")).isFocused();
    away.set(false);
    page.getByTestId("view-again").press("Enter");
    assertThat(page.locator("h1")).hasText("Mailboxes");
    assertThat(page).hasTitle(Pattern.compile(".*Mailboxes.*"));
    assertThat(page.getByTestId("nav-mailboxes")).hasAttribute("aria-current", "page");
    chromium.forgive("ERR_FAILED"); // of the browser's own

    page.getByTestId("nav-overview").click();
    page.getByTestId("nav-mailboxes").click();
    assertThat(page.locator("h1")).isFocused();
    assertThat(page.locator("h1")).hasText("Mailboxes");
  }

  private static void unlessAway(AtomicBoolean away, Route route) {
    if (away.get()) {
      route.abort();
    } else {
      route.resume();
    }
  }

  @Test
  void replaysAndDiscardsDeadLetters() throws Exception {
    try (Spoiler spoiler = new Spoiler(node.zookeeper())) {
      Page page = page(ColorScheme.LIGHT, 390);
      open(page, "/mailboxes");
      Locator rows = page.getByTestId("deadletters").locator("tbody tr");
      assertThat(rows).hasCount(3, new HasCountOptions().setTimeout(PATIENCE_MS));
      shows(rows.first(), Spoiler.PATH);
      shows(rows.first(), "there is no room for");
      Looks.well(page, "deadletters.png");
      spoiler.mend();

      Locator first = rows.first().locator("button[data-verb=replay]");
      first.focus();
      page.keyboard().press("Enter");
      shows(page.getByTestId("confirm"), "put back into the mailbox of " + Spoiler.PATH);
      page.getByTestId("confirm-yes").click();
      shows(page.getByTestId("mail-done"), "was put back into the mailbox");
      assertThat(rows).hasCount(2);
      assertThat(rows.first().locator("button[data-verb=replay]")).isFocused();
      Eventually.assertThat(() -> assertThat(spoiler.kept).hasSize(1));

      page.keyboard().press("Tab");
      page.keyboard().press("Enter");
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Go back")).click();
      assertThat(rows).hasCount(2);
      assertThat(rows.first().locator("button[data-verb=discard]")).isFocused();
      page.keyboard().press("Enter");
      isThere(page.getByTestId("confirm"));
      page.keyboard().press("Escape");
      assertThat(page.getByTestId("confirm")).hasCount(0);
      assertThat(rows).hasCount(2);
      assertThat(rows.first().locator("button[data-verb=discard]")).isFocused();
      page.keyboard().press("Enter");
      page.getByTestId("confirm-yes").click();
      shows(page.getByTestId("mail-done"), "discarded");
      assertThat(rows).hasCount(1);

      String id = rows.first().getAttribute("data-key");
      page.route("**/deadletters/*/replay", route -> discardFirst(id, route));
      rows.first().locator("button[data-verb=replay]").click();
      page.getByTestId("confirm-yes").click();
      shows(page.getByTestId("mail-problem"), "Failed for /shop/shelf: there is no parked message");
      isThere(page.getByText("No parked messages."));
      assertThat(spoiler.kept).hasSize(1);
      chromium.forgive(404);
    }
  }

  @Test
  @Tag("long")
  void mailLooksWellInEachForm() throws Exception {
    try (Spoiler unused = new Spoiler(node.zookeeper())) {
      Page page = page();
      open(page, "/mailboxes");
      Locator rows = page.getByTestId("deadletters").locator("tbody tr");
      assertThat(rows).hasCount(3, new HasCountOptions().setTimeout(PATIENCE_MS));
      String parked = rows.first().getAttribute("data-key");
      mailLooksWell(Map.of("mailboxes", "/mailboxes", "mailbox", "/mailboxes" + Spoiler.PATH));
      mailLooksWell(Map.of("deadletter", "/deadletters/" + parked));
      List<String> keys = rows.all().stream().map(row -> row.getAttribute("data-key")).toList();
      for (String key : keys) { // else the next test finds them
        discard(key);
      }
    }
  }

  private static void discard(String id) throws IOException, InterruptedException {
    assertThat(node.send("POST", "/api/v1/deadletters/" + id + "/discard", "").statusCode())
        .isEqualTo(200);
  }

  private void mailLooksWell(Map<String, String> views) {
    for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      for (int width : List.of(1280, 390)) {
        Page page = page(colours, width);
        String form = "%s-%d.png".formatted(colours.name().toLowerCase(Locale.ROOT), width);
        views.forEach(
            (name, view) -> {
              open(page, view);
              isThere(
                  page.locator("main .table tbody tr, main .empty, [data-testid=letter-body]")
                      .locator("visible=true")
                      .first());
              Looks.well(page, name + "-" + form);
            });
        page.context().close();
      }
    }
  }

  /** Discards a message as another operator does while this one's request is under way. */
  private static void discardFirst(String id, Route route) {
    try {
      discard(id);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
    route.resume();
  }

  @Test
  @Tag("long")
  void looksWellInEveryLightAndWidth() throws Exception {
    String id = submit("process", "for i in 1 2 3; do echo line $i; done; exit 3");
    for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      for (int width : List.of(1280, 390)) {
        Page page = page(colours, width);
        for (String view : List.of("/", "/jobs", "/jobs/" + id, "/mailboxes")) {
          open(page, view);
          isThere(page.locator("main .table tbody tr").first());
          String name = NAMES.getOrDefault(view, "job");
          String light = colours.name().toLowerCase(Locale.ROOT);
          Looks.well(page, "%s-%s-%d.png".formatted(name, light, width));
        }
        page.context().close();
      }
    }
  }
}
