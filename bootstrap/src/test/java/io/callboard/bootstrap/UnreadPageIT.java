package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.callboard.bootstrap.Chromium.open;
import static io.callboard.bootstrap.Chromium.row;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page says of what it cannot read, and what stays of it meanwhile, in a real browser. */
@Tag("long")
@Tag("real")
class UnreadPageIT {
  private static final Pattern OLD = Pattern.compile("(^| )old( |$)");
  private static final Pattern SINCE =
      Pattern.compile("Not read since \\d+:\\d\\d:\\d\\d.*: the index is away");
  private static final String AWAY = "the index is away";

  private static final String TYPES =
      """
      [{"key": "ocr", "name": "ocr", "limit": 2, "running": 0, "queued": %d,
        "paused": false, "byState": {}}]
      """;

  private static final String JOBS =
      """
      [{"key": "j1", "id": "j1", "type": "ocr", "state": "QUEUED", "command": ["true"],
        "labels": {}, "runs": [], "createdAt": "2026-01-01T00:00:00Z"}]
      """;

  private static final String LACKS =
      "[{\"key\": \"missing\", \"missing\": \"no answer from second\"}]";

  private static final String INSTANCES =
      """
      [{"key": "w1", "id": "w1", "definition": "etl", "version": "v0", "state": "RUNNING",
        "priority": 5, "labels": {}, "steps": {}, "createdAt": "2026-01-01T00:00:00Z"}]
      """;

  private static final String COUNTS =
      """
      [{"key": "counts", "byState": {"RUNNING": 3}%s}]
      """;

  private static final String DEFINITION =
      """
      {"name": "etl", "version": "v0", "definition": {"steps": {"load": {"run": "handler:load"}}},
       "graph": [{"step": "load", "level": 0, "height": 0, "last": false}]}
      """;

  private static final String ACTORS =
      """
      [{"key": "/till", "path": "/till", "kind": "actor", "place": 1, "state": "RUNNING",
        "failures": 0, "restarts": 0, "queued": 0}]
      """;

  private static final String ZONE =
      """
      [{"key": "/shop", "path": "/shop", "kind": "zone", "node": "b", "state": "RUNNING",
        "strategy": "ONE_FOR_ONE", "children": 1, "place": 0},
       {"key": "/shop/till", "path": "/shop/till", "kind": "actor", "node": "b", "place": 0,
        "supervisor": "/shop", "state": "RUNNING", "failures": 0, "restarts": 0, "queued": 0}]
      """;

  private static final String STORE_AWAY =
      """
      [{"key": "s", "id": "s", "rule": "STORE_UNREACHABLE", "severity": "CRITICAL",
        "subject": {"kind": "CELL", "name": "main"}, "since": "2026-01-01T00:00:00Z",
        "cause": "the index is away", "action": {"label": "check the servers"}}]
      """;

  @RegisterExtension static final Chromium chromium = new Chromium();
  private static LaunchedNode node;

  private Page page;

  @BeforeAll
  static void start() throws Exception {
    node = LaunchedNode.start(LaunchedNode.directory("unread-page"), "--name", "stage-1");
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  @BeforeEach
  void newPage() {
    page = chromium.page();
  }

  /** The table with this test id, in the frame that is grey while its rows are old. */
  private Locator frame(String table) {
    return page.getByTestId(table).locator("xpath=..");
  }

  @Test
  void aFirstReadThatFailsIsNotCalledEmpty() {
    Told told = new Told(page, "workflows", "nodes");
    told.error("workflows", AWAY);
    told.error("nodes", AWAY);
    open(page, node, "/workflows");
    assertThat(page.getByTestId("workflows-problem")).hasText(SINCE);
    assertThat(frame("workflows").getByText("Not read.")).isVisible();
    assertThat(page.getByText("No instances yet.")).isHidden();
    told.rows("workflows", List.of());
    assertThat(page.getByText("No instances yet.")).isVisible();
    assertThat(page.getByTestId("workflows-problem")).isHidden();

    open(page, node, "/");
    assertThat(page.getByTestId("members-card").getByTestId("unread")).hasText(SINCE);
    assertThat(frame("members").getByText("Not read.")).isVisible();
    assertThat(frame("members").getByText("None.")).isHidden();
  }

  @Test
  void aListThatMayLackJobsSaysWhyUntilItIsWhole() {
    Told told = new Told(page, "jobs", "overview");
    told.rows("overview", overview(0, "{\"QUEUED\": 1}", ""));
    told.rows("jobs", JOBS.replace("}]", "}, " + LACKS.substring(1)));
    open(page, node, "/jobs");
    Locator missing = page.getByTestId("jobs-missing");
    assertThat(missing).hasText("There may be other jobs: no answer from second.");
    assertThat(page.getByTestId("position")).hasText("1 to 1");
    Looks.well(page, "jobs-missing-light-1280.png");
    told.rows("jobs", LACKS);
    assertThat(page.getByText("None of those that could be read.")).isVisible();
    told.rows("jobs", JOBS);
    assertThat(missing).isHidden();
    assertThat(page.getByTestId("position")).hasText("1 to 1 of 1");
  }

  @Test
  void numbersOfInstancesSayWhoseTheyLackUntilTheyAreWhole() {
    Told told = new Told(page, "workflows", "workflow-counts");
    told.rows("workflows", INSTANCES);
    told.rows("workflow-counts", COUNTS.formatted(", \"missing\": \"no answer from second\""));
    open(page, node, "/workflows");
    Locator low = page.getByTestId("counts-missing");
    Locator running = page.getByTestId("filter-RUNNING");
    assertThat(low).hasText("The numbers may be too low: no answer from second.");
    assertThat(running).containsText("≥ 3");
    assertThat(page.getByTestId("position")).hasText("1 to 1; at least 3 in the cell");
    Looks.well(page, "workflows-counts-missing-light-1280.png");
    told.rows("workflow-counts", COUNTS.formatted(""));
    assertThat(low).isHidden();
    assertThat(running).not().containsText("≥");
    assertThat(page.getByTestId("position")).hasText("1 to 1; 3 in the cell");
  }

  @Test
  void numbersOfDefinitionsAndVersionsSayWhoseTheyLack() {
    page.route(
        "**/api/v1/workflow-definitions",
        route -> answer(route, "{\"items\": [], \"missing\": [\"second\", \"third\"]}"));
    open(page, node, "/workflows");
    assertThat(page.getByTestId("definitions-missing"))
        .hasText("The numbers of instances may be too low: no answer from second, third.");
    page.route("**/api/v1/workflow-definitions/etl", route -> answer(route, DEFINITION));
    page.route(
        "**/api/v1/workflow-definitions/etl/versions",
        route -> answer(route, "{\"items\": [], \"missing\": []}"));
    open(page, node, "/definitions/etl");
    assertThat(page.getByTestId("versions-missing"))
        .hasText("The numbers of instances may be too low: a node still reads what it has.");
    chromium.closePages(); // its other cards ask the node, which has no such definition
    chromium.forgive(404);
  }

  private static void answer(Route route, String json) {
    route.fulfill(new Route.FulfillOptions().setContentType("application/json").setBody(json));
  }

  @Test
  void oldRowsAreGreyAndSaySinceWhenAndWhy() {
    Told told = new Told(page, "types", "jobs", "actors");
    told.rows("types", TYPES.formatted(1));
    told.rows("jobs", JOBS);
    told.rows("actors", ACTORS);
    open(page, node, "/types");
    becomesOldAndNewAgain(told, "types", "types", "types-problem", TYPES.formatted(1));
    open(page, node, "/actors?state=RUNNING");
    becomesOldAndNewAgain(told, "actors", "actors", "actors-problem", ACTORS);
    open(page, node, "/actors");
    becomesOldAndNewAgain(told, "actors", "tree", "tree-problem", ACTORS);
    open(page, node, "/jobs");
    becomesOldAndNewAgain(told, "jobs", "jobs", "jobs-problem", JOBS);

    told.error("jobs", AWAY);
    assertThat(frame("jobs")).hasClass(OLD);
    told.rows("types", TYPES.formatted(7).replace("false", "true"));
    assertThat(row(page, "jobs", "j1")).containsText("type ocr is paused");
    assertThat(frame("jobs")).hasClass(OLD);
    page.getByTestId("jobs").locator("thead button").first().click();
    assertThat(page.getByTestId("jobs").locator("th[aria-sort]")).hasCount(1);
    assertThat(frame("jobs")).hasClass(OLD);
    Looks.well(page, "jobs-unread-light-1280.png");
  }

  @Test
  void theContentsOfAZoneAreGreyWhileItsNodeDoesNotAnswer() {
    String silent = "node b does not answer within 2000 ms";
    Told told = new Told(page, "actors");
    told.rows("actors", ZONE);
    open(page, node, "/actors/shop?node=b");
    assertThat(page.getByTestId("next-attempt")).hasText("on node b");
    assertThat(row(page, "tree", "/shop/till")).containsText("Running");
    told.error("actors", silent);
    assertThat(page.getByTestId("tree-problem"))
        .hasText(Pattern.compile("Not read since .*: " + silent));
    assertThat(page.getByTestId("actor-problem")).hasText(silent);
    assertThat(row(page, "tree", "/shop/till")).isVisible();
    assertThat(frame("tree")).hasClass(OLD);
    told.rows("actors", ZONE);
    assertThat(page.getByTestId("tree-problem")).isHidden();
    assertThat(page.getByTestId("actor-problem")).isHidden();
    assertThat(frame("tree")).not().hasClass(OLD);
  }

  private void becomesOldAndNewAgain(
      Told told, String topic, String table, String problem, String rows) {
    assertThat(page.getByTestId(table).locator("tbody tr")).hasCount(1);
    assertThat(frame(table)).not().hasClass(OLD);
    told.error(topic, AWAY);
    assertThat(page.getByTestId(problem)).hasText(SINCE);
    assertThat(page.getByTestId(table).locator("tbody tr")).hasCount(1);
    assertThat(frame(table)).hasClass(OLD);
    told.rows(topic, rows);
    assertThat(frame(table)).not().hasClass(OLD);
    assertThat(page.getByTestId(problem)).isHidden();
  }

  /** Rows of the overview; `boxes` are further fields of the section of mailboxes. */
  private static String overview(int parked, String byState, String boxes) {
    return """
        [{"key": "node", "countsSince": "2026-01-01T00:00:00Z"},
         {"key": "asOf", "actors": "2026-01-01T00:00:00Z", "parked": "2026-01-01T00:00:00Z",
          "mailboxes": "2026-01-01T00:00:00Z"},
         {"key": "jobs", "count": 1, "byState": %s},
         {"key": "rate", "at": %d, "started": 1, "ended": 0, "startedPerSecond": 0,
          "endedPerSecond": 0},
         {"key": "actors", "count": 2, "queued": 0, "byState": {"RUNNING": 2}, "fullest": []},
         {"key": "parked", "count": %d},
         {"key": "mailboxes", "depth": 0 %s},
         {"key": "messages", "handled": %d, "turns": 0, "commits": 0, "sent": 0, "failed": 0,
          "parked": 0, "dead": 0}]
        """
        .formatted(byState, parked, parked, boxes, parked);
  }

  private Locator tile(String testId) {
    return page.getByTestId(testId).locator("xpath=..");
  }

  @Test
  void theOverviewKeepsFocusAndSelectionWhileItsFiguresChange() {
    Told told = new Told(page, "overview");
    told.rows("overview", overview(0, "{\"QUEUED\": 1}", ""));
    open(page, node, "/");
    Locator parked = page.getByTestId("parked-now");
    assertThat(parked).hasText("0");
    parked.focus();
    told.rows("overview", overview(1, "{\"QUEUED\": 1}", ""));
    assertThat(parked).hasText("1");
    assertThat(parked).isFocused();
    Locator running = page.getByTestId("actors-by-state").locator("a");
    running.focus();
    told.rows("overview", overview(2, "{\"QUEUED\": 1}", ""));
    assertThat(parked).hasText("2");
    assertThat(running).isFocused();
    Locator handled = page.getByTestId("messages").locator("dt").first();
    handled.evaluate("dt => getSelection().selectAllChildren(dt)");
    told.rows("overview", overview(3, "{\"QUEUED\": 1}", ""));
    assertThat(parked).hasText("3");
    assertThat(page.evaluate("String(getSelection())")).isEqualTo("Handled");
  }

  @Test
  void aTileCountsWhatItsLinkLists() {
    Told told = new Told(page, "overview");
    String some =
        """
        {"QUEUED": 3, "SCHEDULED": 2, "HELD": 1, "RETRY_WAIT": 1, "RUNNING": 4, "ADMITTED": 2,
         "STALLED": 1, "SUSPECT": 3, "CANCELLING": 1}
        """;
    told.rows("overview", overview(0, some, ""));
    open(page, node, "/");
    assertThat(page.getByTestId("tile-waiting")).hasText("3");
    assertThat(tile("tile-waiting")).containsText("+ 4 not due, held or blocked");
    assertThat(page.getByTestId("tile-running")).hasText("4");
    assertThat(tile("tile-running"))
        .containsText("2 starting, 1 stalled, 3 suspect, 1 cancelling, 1 job in total");
  }

  @Test
  void cardsOfTheOverviewAreOldWithTheirSectionOrTheWholeTopic() {
    Told told = new Told(page, "overview");
    told.rows("overview", overview(0, "{\"QUEUED\": 1}", ", \"error\": \"the index is away\""));
    open(page, node, "/");
    Locator messages = page.getByTestId("messages-card");
    assertThat(messages).hasClass(OLD);
    assertThat(messages.getByTestId("unread")).hasText(SINCE);
    assertThat(page.getByTestId("jobs-card")).not().hasClass(OLD);
    String grey =
        (String)
            tile("tile-waiting").locator(".note").evaluate("note => getComputedStyle(note).color");
    assertThat(page.getByTestId("tile-waiting")).not().hasCSS("color", grey);
    told.error("overview", AWAY);
    for (String card : List.of("jobs-card", "tiles", "actors-card")) {
      assertThat(page.getByTestId(card)).hasClass(OLD);
      assertThat(page.getByTestId(card).getByTestId("unread")).hasText(SINCE);
    }
    assertThat(page.getByTestId("tile-waiting")).hasText("1");
    assertThat(page.getByTestId("tile-waiting")).hasCSS("color", grey);
    told.rows("overview", overview(0, "{\"QUEUED\": 1}", ""));
    for (String card : List.of("jobs-card", "tiles", "actors-card", "messages-card")) {
      assertThat(page.getByTestId(card)).not().hasClass(OLD);
    }
  }

  @Test
  void theSectionsThatTheBannerCallsGreyAreGreyWhileTheStoreIsAway() {
    Told told = new Told(page, "overview", "attention");
    told.rows("overview", overview(0, "{\"QUEUED\": 1}", ""));
    open(page, node, "/");
    assertThat(page.getByTestId("tile-waiting")).hasText("1");
    assertThat(tile("tile-waiting")).not().hasClass(OLD);
    told.rows("attention", STORE_AWAY);
    assertThat(page.getByTestId("stale-banner")).containsText("What may be old is grey");
    for (String ofJobs : List.of("tile-running", "tile-waiting", "tile-dead")) {
      assertThat(tile(ofJobs)).hasClass(OLD);
    }
    assertThat(page.getByTestId("jobs-card")).hasClass(OLD);
    assertThat(page.getByTestId("jobs-card").getByTestId("unread")).hasText(SINCE);
    assertThat(tile("tile-started")).not().hasClass(OLD);
    Looks.well(page, "overview-store-away-light-1280.png");
    told.rows("overview", overview(1, "{\"QUEUED\": 2}", ""));
    assertThat(page.getByTestId("tile-waiting")).hasText("2");
    assertThat(tile("tile-waiting")).hasClass(OLD);
    told.rows("attention", List.of());
    assertThat(tile("tile-waiting")).not().hasClass(OLD);
    assertThat(page.getByTestId("jobs-card")).not().hasClass(OLD);
    assertThat(page.getByTestId("stale-banner")).isHidden();
  }

  @Test
  void aNodeThatDoesNotAnswerSaysSoAndItsFiguresAreOld() {
    Told told = new Told(page, "nodes", "hosts", "node/stage-9");
    String silent =
        """
        [{"key": "stage-9", "name": "stage-9", "here": false, "state": "%s", "actors": 5,
          "failed": 1, "mail": 2, "since": "2026-01-01T00:00:00Z",
          "error": "it did not answer; figures of 2026-01-01T00:00:00Z"}]
        """;
    told.rows("nodes", silent.formatted("SILENT"));
    open(page, node, "/");
    Locator member = row(page, "members", "stage-9");
    assertThat(member).containsText("it did not answer; figures of 2026-01-01T00:00:00Z");
    assertThat(member.locator("td[data-label=Actors] .past")).hasText("5");
    assertThat(member.locator("td[data-label=Failed] .past")).hasText("1");
    Looks.well(page, "node-silent-light-1280.png");

    told.rows(
        "node/stage-9",
        """
        [{"key": "stage-9", "actors": {"byState": {"RUNNING": 4, "FAILED": 1}}, "worst": [],
          "failedZones": [], "fullest": [],
          "threads": [{"name": "toolkit", "size": 2, "busy": 1, "queued": 3, "blocked": 1}]}]
        """);
    open(page, node, "/nodes/stage-9");
    assertThat(page.getByTestId("node-states")).containsText("Running4");
    assertThat(page.getByTestId("node-states")).containsText("Failed1");
    assertThat(row(page, "node-threads", "toolkit")).containsText("1 of 2");
    told.error("node/stage-9", AWAY);
    assertThat(page.getByTestId("node-problem")).hasText(SINCE);
    assertThat(frame("node-threads")).hasClass(OLD);

    told.rows(
        "hosts",
        """
        [{"key": "stage-9", "name": "stage-9", "live": true, "slots": 10, "used": 0}]
        """);
    told.rows("nodes", silent.formatted("SUSPECT"));
    open(page, node, "/hosts");
    assertThat(row(page, "hosts", "stage-9")).containsText("Suspect");
    told.rows("nodes", silent.formatted("LOST"));
    assertThat(row(page, "hosts", "stage-9")).containsText("Lost");
    told.rows("nodes", silent.formatted("LIVE"));
    assertThat(row(page, "hosts", "stage-9")).containsText("Live");
  }

  @Test
  void anActorThatIsGoneLeavesNoEmptyCards() {
    Told told = new Told(page, "actors");
    told.rows("actors", List.of());
    open(page, node, "/actors/till");
    assertThat(page.getByTestId("actor-problem")).containsText("No node that answers has");
    assertThat(page.getByTestId("actor-facts")).isHidden();
    assertThat(page.getByTestId("history")).isHidden();
    told.rows("actors", ACTORS);
    assertThat(page.getByTestId("actor-facts")).containsText("Supervisor");
    assertThat(page.getByTestId("history")).isVisible();
    assertThat(page.getByTestId("actor-problem")).isHidden();
    told.rows("actors", List.of());
    assertThat(page.getByTestId("history")).isHidden();
  }
}
