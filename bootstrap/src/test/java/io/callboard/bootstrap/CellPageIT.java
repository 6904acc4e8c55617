package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.callboard.bootstrap.Chromium.act;
import static io.callboard.bootstrap.Chromium.open;
import static io.callboard.bootstrap.Chromium.row;
import static io.callboard.bootstrap.Chromium.yes;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import io.callboard.codecs.Json;
import io.callboard.testkit.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The views of roles, hosts, zones and types, with three nodes, in a real browser. */
@Tag("long")
@Tag("real")
class CellPageIT {
  @RegisterExtension static final Chromium chromium = new Chromium();
  private static LaunchedNode first;
  private static LaunchedNode second;
  private static LaunchedNode third;

  @BeforeAll
  static void start() throws Exception {
    first = LaunchedNode.start(LaunchedNode.directory("cell-page"), "--name", "stage-1");
    second = join("stage-2");
    third = join("stage-3");
  }

  private static LaunchedNode join(String name) throws Exception {
    return LaunchedNode.start(
        LaunchedNode.directory("cell-page"), "--name", name, "--zookeeper", first.zookeeper());
  }

  @AfterAll
  static void stop() {
    for (LaunchedNode node : new LaunchedNode[] {third, second, first}) {
      if (node != null) {
        node.close();
      }
    }
  }

  private static String submit(String type, String script) throws Exception {
    byte[] body = Json.bytes(Map.of("type", type, "command", List.of("sh", "-c", script)));
    var response = first.send("POST", "/api/v1/jobs", new String(body, StandardCharsets.UTF_8));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    return Json.parse("the job", response.body().getBytes(StandardCharsets.UTF_8))
        .path("id")
        .asText();
  }

  private static void type(String name, int limit) throws Exception {
    assertThat(first.send("PUT", "/api/v1/types/" + name, "{\"limit\":%d}".formatted(limit)))
        .satisfies(answer -> assertThat(answer.statusCode()).isEqualTo(200));
  }

  @Test
  void aRoleIsFailedOverAndTellsItsHistory() {
    Page page = chromium.page();
    open(page, first, "/");
    page.getByTestId("nav-cell").click();
    Locator role = row(page, "roles", "grid-monitor");
    assertThat(role).containsText("With standby");
    String standby = role.locator("td[data-label=Standby]").textContent();
    act(page, role, "failover");
    assertThat(page.getByTestId("confirm")).containsText(standby + " takes it from ");
    yes(page);
    assertThat(page.getByTestId("roles-done")).containsText("the failover was accepted");
    assertThat(role.locator("td[data-label=Holder]")).hasText(standby);
    assertThat(role).containsText("the holder gave it back");
    role.locator("a").click();
    assertThat(page.getByTestId("role-facts")).containsText("Holder" + standby);
    Locator last = page.getByTestId("failovers").locator("tbody tr").first();
    assertThat(last).containsText("the holder gave it back");
    assertThat(last.locator("td").last()).containsText("s");
    open(page, first, "/roles/nobody");
    assertThat(page.getByTestId("role-problem")).containsText("There is no role of this name");
  }

  @Test
  void everythingIsSearchedFromEveryViewByKeyboard() {
    Page page = chromium.page();
    open(page, first, "/zones");
    page.keyboard().press("/");
    Locator field = page.getByTestId("find-text");
    assertThat(field).isFocused();
    page.keyboard().type("stage");
    Locator hits = page.getByTestId("find-hits").locator("[role=option]");
    Locator node = page.locator("[role=option][data-kind=NODE][data-name=stage-2]");
    assertThat(node).isVisible();
    assertThat(field).hasAttribute("aria-expanded", "true");
    assertThat(hits.first()).hasAttribute("aria-selected", "true");
    assertThat(page.getByTestId("find-said")).containsText("found");
    assertThat(page.getByTestId("find-missing")).containsText("Actors and failure zones: ");
    for (int i = 0; i < hits.count() && !chosen(field, node); i++) {
      page.keyboard().press("ArrowDown");
    }
    assertThat(node).hasAttribute("aria-selected", "true");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile(".*#/nodes/stage-2$"));
    assertThat(page.getByTestId("find")).hasCount(0);
    assertThat(page.locator("h1")).containsText("stage-2");
    page.getByTestId("find-open").click();
    field.fill("grid-monitor");
    assertThat(hits.first()).hasAttribute("data-kind", "ROLE");
    assertThat(hits.first()).containsText("exactly this");
    field.fill("<img src=x>");
    assertThat(page.getByTestId("find-said")).hasText("Nothing found.");
    page.keyboard().press("Escape");
    assertThat(page.getByTestId("find")).hasCount(0);
    assertThat(page.getByTestId("find-open")).isFocused();
  }

  /** Whether an option is the one that Enter opens. */
  private static boolean chosen(Locator field, Locator option) {
    String id = option.getAttribute("id");
    return id != null && id.equals(field.getAttribute("aria-activedescendant"));
  }

  @Test
  void manyJobsAreActedOnAfterTheExtentWasTold() throws Exception {
    type("many", 1);
    assertThat(first.send("POST", "/api/v1/types/many/pause", "").statusCode()).isEqualTo(200);
    String held = submit("many", "true");
    String other = submit("many", "true");
    Page page = chromium.page();
    open(page, first, "/jobs?type=many");
    Locator go = page.getByTestId("bulk-go");
    assertThat(go).hasText("Act on all that match");
    row(page, "jobs", held).locator("input[type=checkbox]").check();
    assertThat(go).hasText("Act on 1 selected");
    page.getByTestId("bulk-action").selectOption("hold");
    go.click();
    assertThat(page.getByTestId("confirm")).containsText("1 job will be held");
    yes(page);
    Locator line = page.getByTestId("bulk-line");
    assertThat(line).containsText("1 of 1 job tried, 0 failed; done");
    assertThat(row(page, "jobs", held)).containsText("Held");
    assertThat(row(page, "jobs", held).locator("input[type=checkbox]")).isChecked();
    row(page, "jobs", held).locator("input[type=checkbox]").uncheck();
    page.getByTestId("bulk-action").selectOption("cancel");
    go.click();
    assertThat(page.getByTestId("confirm")).containsText("2 of ");
    assertThat(page.getByTestId("confirm")).containsText("The oldest was submitted ");
    page.getByTestId("ask-rate").fill("0.01");
    yes(page);
    assertThat(line).containsText("1 of 2 jobs tried");
    page.getByTestId("bulk-stop").click();
    assertThat(line).containsText("were not tried");
    go.click();
    yes(page);
    assertThat(line).containsText("1 of 1 job tried, 0 failed; done");
    for (String id : List.of(held, other)) {
      assertThat(row(page, "jobs", id)).containsText("Cancelled");
    }
    go.click();
    assertThat(page.getByTestId("bulk-problem"))
        .containsText("None of the jobs that match can be cancelled");
  }

  @Test
  void settingsSayWhereTheyComeFrom() {
    Page page = chromium.page();
    open(page, first, "/roles");
    page.getByTestId("cell-settings").click();
    Locator name = row(page, "settings", "name");
    assertThat(name).containsText("stage-1");
    assertThat(name).containsText("the command line");
    assertThat(row(page, "settings", "session-timeout")).containsText("default");
    assertThat(page.getByTestId("settings-node")).containsText("Java");
    assertThat(page.getByTestId("features")).containsText("workflows");
    assertThat(page.getByTestId("limits").locator("tbody tr").first()).isVisible();
  }

  @Test
  void aHostIsDrainedAfterTheExtentWasToldAndTakesRunsAgain() {
    Page page = chromium.page();
    open(page, first, "/hosts");
    Locator host = row(page, "hosts", "stage-2");
    assertThat(host).containsText("Live");
    assertThat(host).containsText(" of 10");
    act(page, host, "drain");
    assertThat(page.getByTestId("confirm")).containsText("It takes no new job runs");
    page.keyboard().press("Escape");
    assertThat(host.locator("button[data-verb=drain]")).isFocused();
    act(page, host, "drain");
    yes(page);
    assertThat(host).containsText("Draining");
    act(page, host, "undrain");
    assertThat(page.getByTestId("confirm")).containsText("It takes job runs again, up to 10 at");
    yes(page);
    assertThat(host).containsText("Live");
  }

  @Test
  void aTypeShowsItsGateAndIsLimitedAndPaused() throws Exception {
    type("etl", 1);
    submit("etl", "sleep 600");
    String waits = submit("etl", "sleep 600");
    Page page = chromium.page();
    open(page, first, "/jobs?type=etl");
    Locator job = row(page, "jobs", waits);
    assertThat(job).containsText("type etl has 1 of 1 runs");
    assertThat(page.getByTestId("position")).hasText("1 to 2 of 2");
    page.getByTestId("of-types").click();
    Locator etl = row(page, "types", "etl");
    assertThat(etl).containsText("Limit reached");
    assertThat(etl.locator("td[data-label=Queued]")).hasText("1");
    etl.locator("th").evaluate("th => getSelection().selectAllChildren(th)");
    type("etl", 2);
    assertThat(etl).containsText("2 of 2");
    assertThat((String) page.evaluate("String(getSelection())")).contains("etl");
    act(page, etl, "limit");
    assertThat(page.getByTestId("confirm")).containsText("2 runs now, 0 jobs queued");
    assertThat(page.getByTestId("ask-share")).hasValue("100");
    page.getByTestId("ask-limit").fill("3");
    page.getByTestId("ask-share").fill("50");
    yes(page);
    assertThat(page.getByTestId("types-done"))
        .hasText("etl: at most 3 runs at once, and 50 % of a host’s slots.");
    assertThat(etl).containsText("2 of 3");
    assertThat(etl.locator("td[data-label='Share of a host']")).hasText("50 %");
    assertThat(etl.locator("td[data-label=Queued]")).hasText("0");
    act(page, etl, "pause");
    assertThat(page.getByTestId("confirm")).containsText("2 runs under way go on");
    yes(page);
    assertThat(etl).containsText("Paused");
    String held = submit("etl", "true");
    open(page, first, "/jobs?state=QUEUED");
    assertThat(row(page, "jobs", held)).containsText("type etl is paused");
    open(page, first, "/types");
    act(page, etl, "resume");
    assertThat(page.getByTestId("confirm")).containsText("1 job queued may start, 1 of them at");
    yes(page);
    assertThat(etl).containsText("Open");
  }

  @Test
  void labelsAreLimitedAndLetGo() {
    Page page = chromium.page();
    open(page, first, "/types");
    page.locator("button[data-verb=limit-label]").click();
    page.getByTestId("ask-label").fill(" ");
    yes(page);
    assertThat(page.getByTestId("ask-problem")).hasText("Give a label, such as db=acme.");
    assertThat(page.getByTestId("ask-label")).isFocused();
    page.getByTestId("ask-label").fill("db=acme");
    page.getByTestId("ask-limit").fill("2");
    yes(page);
    Locator done = page.getByTestId("label-limits-done");
    assertThat(done).hasText("db=acme: at most 2 runs at once.");
    Locator acme = row(page, "label-limits", "db=acme");
    assertThat(acme).containsText("0 of 2");
    act(page, acme, "limit");
    page.getByTestId("ask-limit").fill("3");
    yes(page);
    assertThat(acme).containsText("0 of 3");
    act(page, acme, "limit-remove");
    assertThat(page.getByTestId("confirm")).containsText("0 runs now, of 3 at most.");
    page.keyboard().press("Escape");
    assertThat(acme.locator("button[data-verb=limit-remove]")).isFocused();
    act(page, acme, "limit-remove");
    yes(page);
    assertThat(done).hasText("db=acme has no limit.");
    assertThat(acme).hasCount(0);
    assertThat(page.locator("h2:has-text('Limits of labels')")).isFocused();
    assertThat(body(first, "/api/v1/limits")).doesNotContain("db=acme");
  }

  @Test
  void aTypeShowsHowLongItsJobsAreKept() throws Exception {
    String kept = "{\"limit\":2,\"retention\":{\"successes\":\"P2D\",\"logs\":\"PT6H\"}}";
    assertThat(first.send("PUT", "/api/v1/types/keeps", kept).statusCode()).isEqualTo(200);
    Page page = chromium.page();
    open(page, first, "/types");
    assertThat(row(page, "types", "keeps").locator("td[data-label=Kept]"))
        .hasText("successes 2 d 0 h, logs 6 h 0 min");
  }

  @Test
  void buttonsStayOffWhileTheirRequestRunsWhateverTheRowTellsMeanwhile() throws Exception {
    type("slow", 1);
    submit("slow", "sleep 600");
    Page page = chromium.page();
    AtomicReference<Route> request = new AtomicReference<>();
    page.route("**/types/slow/pause", request::set);
    open(page, first, "/types");
    Locator slow = row(page, "types", "slow");
    Locator pause = slow.locator("button[data-verb=pause]");
    act(page, slow, "pause");
    yes(page);
    assertThat(pause).hasAttribute("aria-disabled", "true");
    submit("slow", "true");
    assertThat(slow.locator("td[data-label=Queued]")).hasText("1");
    assertThat(pause).hasAttribute("aria-disabled", "true");
    assertThat(pause).isFocused();
    pause.dispatchEvent("click");
    assertThat(page.getByTestId("confirm")).hasCount(0);
    page.waitForCondition(() -> request.get() != null);
    request.get().resume();
    assertThat(page.getByTestId("types-done")).hasText("slow is paused.");
    assertThat(slow.locator("button[data-verb=resume]")).isFocused();
    assertThat(slow.locator("[aria-disabled]")).hasCount(0);
  }

  @Test
  void zonesShowWaitsAndTheirTableIsSorted() {
    Page page = chromium.page();
    open(page, first, "/zones");
    assertThat(row(page, "zones", "toolkit")).containsText("%");
    Locator head = page.getByTestId("zones").locator("thead th").first();
    head.locator("button").click();
    assertThat(head).hasAttribute("aria-sort", "ascending");
    assertThat(page.getByTestId("zones").locator("tbody th").first()).containsText("blocking");
    head.locator("button").click();
    assertThat(page.getByTestId("zones").locator("tbody th").first()).containsText("toolkit");
    head.locator("button").click();
    assertThat(head).not().hasAttribute("aria-sort", "descending");
  }

  @Test
  void nodesShowWhatEachAnswersAndTheSwitchOpensAnother() {
    Page page = chromium.page();
    open(page, first, "/");
    Locator other = row(page, "members", "stage-2");
    assertThat(other).containsText("Live");
    assertThat(other.locator("td[data-label=Actors]")).hasText("0");
    assertThat(other.locator("td[data-label=Failed]")).hasText("0");
    assertThat(other.locator("td[data-label=Slots]")).containsText(" of 10");
    assertThat(other.locator("td[data-label=Address] a")).hasAttribute("href", second.url() + "/");
    assertThat(row(page, "members", "stage-1")).containsText("(this)");
    other.locator("th a").click();
    assertThat(page.locator("h1")).hasText("Node stage-2");
    assertThat(page.getByTestId("worst").locator("xpath=..")).containsText("All run.");
    assertThat(page.getByTestId("node-states")).containsText("No actors.");
    assertThat(row(page, "node-threads", "toolkit")).containsText(" of ");
    assertThat(row(page, "node-threads", "toolkit")).containsText("Well");
    assertThat(page.getByTestId("node-circuits").locator("xpath=.."))
        .containsText("All circuits are closed.");
    open(page, first, "/zones");
    page.getByTestId("node").focus();
    assertThat(page.getByTestId("node").locator("option")).hasCount(3);
    page.getByTestId("node").selectOption("stage-2");
    page.waitForURL(second.url() + "/#/zones");
    assertThat(page.getByTestId("node").locator("option:checked")).hasText("stage-2");
    assertThat(row(page, "zones", "toolkit")).isVisible();
  }

  @Test
  void anActorOfAnotherNodeOpensAndIsRestartedThere() {
    Page page = chromium.page();
    open(page, first, "/actors/roles/node@stage-2");
    assertThat(page.getByTestId("actor-state")).hasText("Running");
    assertThat(page.getByTestId("next-attempt")).hasText("on node stage-2");
    page.getByTestId("action-restart").click();
    yes(page);
    assertThat(page.getByTestId("actor-done")).hasText("It is being restarted.");
    assertThat(page.getByTestId("actor-facts")).containsText("Restarts1");
    open(page, first, "/actors/no/such");
    assertThat(page.getByTestId("actor-problem")).containsText("No node that answers has");
  }

  private static String body(LaunchedNode node, String path) {
    try {
      return node.get(path).body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theToolkitsOwnActorsAreFoldedAndEventsAreTold() throws Exception {
    type("told", 1);
    Page page = chromium.page();
    open(page, first, "/actors");
    Locator system =
        page.getByTestId("tree")
            .locator("tr", new Locator.LocatorOptions().setHasText("the toolkit itself"));
    assertThat(system).hasAttribute("aria-expanded", "false");
    assertThat(page.getByTestId("tree")).not().containsText("/jobs/gate");
    system.locator("button").click();
    assertThat(page.getByTestId("tree")).containsText("/roles/node@stage-1");
    open(page, first, "/");
    assertThat(page.getByTestId("events").locator("li").first()).isVisible();
    // the page shows the last ones only
    Eventually.assertThat(
        () ->
            assertThat(body(first, "/api/v1/events"))
                .contains("\"kind\":\"NODE_JOINED\",\"subject\":\"stage-2\""));
    assertThat(first.send("POST", "/api/v1/types/told/pause", "{}").statusCode()).isEqualTo(200);
    assertThat(page.getByTestId("events").locator("li").first())
        .containsText("type paused told: none of its jobs is started");
    open(page, second, "/");
    assertThat(page.getByTestId("events")).containsText("type paused told");
  }

  @Test
  void viewsLookWellInEveryLightAndWidth() throws Exception {
    type("render", 2);
    submit("render", "exit 127");
    String kept = "{\"limit\":2,\"maxShare\":0.5,\"retention\":{\"failures\":\"P30D\"}}";
    assertThat(first.send("PUT", "/api/v1/types/render", kept).statusCode()).isEqualTo(200);
    assertThat(first.send("PUT", "/api/v1/limits/shop", "{\"running\":4}").statusCode())
        .isEqualTo(200);
    Map<String, String> views = new LinkedHashMap<>();
    views.put("overview-cell", "/");
    views.put("node", "/nodes/stage-2");
    views.put("roles", "/roles");
    views.put("role", "/roles/grid-monitor");
    views.put("hosts", "/hosts");
    views.put("zones", "/zones");
    views.put("types", "/types");
    views.put("actors-failed", "/actors?state=FAILED");
    views.put("audit", "/audit");
    views.put("settings", "/settings");
    chromium.pictures(first, views);
  }

  @Test
  void questionsAndMissingPagesLookWellInEveryLightAndWidth() throws Exception {
    type("asked", 2);
    assertThat(first.send("POST", "/api/v1/types/asked/pause", "").statusCode()).isEqualTo(200);
    submit("asked", "true");
    for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      for (int width : List.of(1280, 390)) {
        String form = "%s-%d.png".formatted(colours.name().toLowerCase(Locale.ROOT), width);
        Page page = chromium.page(colours, width);
        open(page, first, "/types");
        act(page, row(page, "types", "asked"), "limit");
        Looks.well(page, "question-" + form);
        page.keyboard().press("Escape");
        page.getByTestId("find-open").click();
        page.getByTestId("find-text").fill("stage");
        assertThat(page.getByTestId("find-said")).containsText("found");
        Looks.well(page, "search-" + form);
        page.keyboard().press("Escape");
        open(page, first, "/jobs?type=asked");
        page.getByTestId("bulk-action").selectOption("hold");
        page.getByTestId("bulk-go").click();
        assertThat(page.getByTestId("confirm")).containsText("will be held");
        Looks.well(page, "bulk-" + form);
        page.keyboard().press("Escape");
        open(page, first, "/nowhere");
        assertThat(page.locator("h1")).hasText("Page not found");
        Looks.well(page, "nowhere-" + form);
        page.context().close();
      }
    }
  }
}
