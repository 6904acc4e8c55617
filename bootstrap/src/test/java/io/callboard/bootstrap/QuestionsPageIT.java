package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.callboard.bootstrap.Chromium.act;
import static io.callboard.bootstrap.Chromium.open;
import static io.callboard.bootstrap.Chromium.yes;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.callboard.codecs.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page asks before an action, what it does with the answer, and with a session's end. */
@Tag("long")
@Tag("real")
class QuestionsPageIT {
  private static final String REASON = "x-callboard-reason";
  private static final int LOGGED_OUT = 4401;
  private static final int LONG_MS = 20_000;

  private static final String INSTANCE =
      """
      {"key": "w1", "id": "w1", "definition": "scan", "version": "0123456789abcdef",
       "state": "%s", "priority": 5, "labels": {}, "input": {}, "compensating": false,
       "createdAt": "2026-01-01T00:00:00Z", "steps": {
         "fetch": {"state": "%s", "attempts": 1, "runs": 1}, "read": {"state": "%s",
         "attempts": 0, "runs": 0}, "file": {"state": "%s", "attempts": 0, "runs": 0},
         "cleanup": {"state": "PENDING", "attempts": 0, "runs": 0}}}
      """;

  private static final String DEFINITION =
      """
      {"graph": [{"step": "fetch", "level": 0}, {"step": "read", "level": 1},
         {"step": "file", "level": 2}, {"step": "cleanup", "level": 0, "last": true}],
       "definition": {"steps": {"fetch": {"run": "x"}, "read": {"run": "x",
         "after": {"fetch": "success"}}, "file": {"run": "x", "after": {"read": "success"}}},
         "finally": {"cleanup": {"run": "x"}}}}
      """;

  private static final String JOB =
      """
      [{"key": "j1", "id": "j1", "type": "process", "state": "%s", "priority": 5, "version": %d,
        "command": ["true"], "createdAt": "2026-01-01T00:00:00Z", "runs": [], "labels": {}}]
      """;

  @RegisterExtension static final Chromium chromium = new Chromium();
  private static LaunchedNode node;

  private final List<Route> requests = new ArrayList<>();
  private Page page;

  @BeforeAll
  static void start() throws Exception {
    node = LaunchedNode.start(LaunchedNode.directory("questions-page"), "--name", "stage-1");
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

  private static void answer(Route route, String body) {
    route.fulfill(new Route.FulfillOptions().setContentType("application/json").setBody(body));
  }

  private void waitForRequests(int number) {
    page.waitForCondition(() -> requests.size() >= number);
    assertThat(requests).hasSize(number);
  }

  @Test
  void aJobIsHeldAndReleasedAfterAQuestionAndTheAuditHasTheReasons() throws Exception {
    assertThat(
            node.send("PUT", "/api/v1/types/asked", "{\"limit\":1,\"paused\":true}").statusCode())
        .isEqualTo(200);
    String made =
        node.send("POST", "/api/v1/jobs", "{\"type\":\"asked\",\"command\":[\"true\"]}").body();
    String id = Json.parse("the job", made.getBytes(StandardCharsets.UTF_8)).path("id").asText();
    open(page, node, "/jobs/" + id);
    Locator state = page.getByTestId("job-state");
    page.getByTestId("action-hold").click();
    assertThat(page.getByTestId("confirm")).containsText("will not until it is released");
    page.keyboard().press("Escape");
    assertThat(state).hasText("Queued");
    page.getByTestId("action-hold").click();
    page.getByTestId("ask-reason").fill("the drum is dirty");
    yes(page);
    assertThat(state).hasText("Held");
    page.getByTestId("action-release").click();
    page.getByTestId("ask-reason").fill("the drum is clean");
    yes(page);
    assertThat(state).hasText("Queued");
    assertThat(node.get("/api/v1/audit?limit=200").body())
        .contains("the drum is dirty")
        .contains("the drum is clean");
  }

  @Test
  void toCancelAskedOfARunThatMayBeAliveSaysThatItIsKilled() {
    page.route("**/api/v1/jobs/j1/events", route -> answer(route, "{\"items\":[]}"));
    page.route(
        "**/api/v1/jobs/j1/why",
        route -> answer(route, "{\"state\":\"RUNNING\",\"blockedBy\":[]}"));
    Told told = new Told(page, "job/j1");
    told.rows("job/j1", JOB.formatted("QUEUED", 1));
    open(page, node, "/jobs/j1");
    saysBeforeItIsCancelled("Queued", "It will not run.");
    told.rows("job/j1", JOB.formatted("RUNNING", 2));
    saysBeforeItIsCancelled("Running", "Its process is running and will be killed.");
    String mayBe = "Its process may be alive, and will be killed.";
    told.rows("job/j1", JOB.formatted("ADMITTED", 3));
    saysBeforeItIsCancelled("Starting", mayBe);
    told.rows("job/j1", JOB.formatted("STALLED", 4));
    saysBeforeItIsCancelled("Stalled", mayBe);
    told.rows("job/j1", JOB.formatted("SUSPECT", 5));
    saysBeforeItIsCancelled("Suspect", mayBe);
  }

  private void saysBeforeItIsCancelled(String state, String question) {
    assertThat(page.getByTestId("job-state")).hasText(state);
    page.getByTestId("action-cancel").click();
    assertThat(page.getByTestId("confirm")).containsText(question);
    page.keyboard().press("Escape");
    assertThat(page.getByTestId("confirm")).hasCount(0);
  }

  @Test
  void anEndedJobShowsItsTermsAndItsResultAndIsDeletedAfterAQuestion() throws Exception {
    String id =
        JobView.submit(
            node,
            "{\"command\":[\"sh\",\"-c\",\"echo '[7]' >new; mv new result\"],\"nice\":3,"
                + "\"timeouts\":{\"run\":\"PT10M\"},\"onLost\":\"hold\","
                + "\"retry\":{\"attempts\":2,\"initial\":\"PT5S\",\"max\":\"PT1M\"}}");
    JobView.await(node, id, "SUCCEEDED");
    open(page, node, "/jobs/" + id);
    Locator facts = page.getByTestId("job-facts");
    assertThat(facts).containsText("Run timeout10 min 0 s");
    assertThat(facts).containsText("Attempts2, 5.0 s to 1 min 0 s apart");
    assertThat(facts).containsText("If its host is losthold");
    assertThat(facts).containsText("Nice3");
    assertThat(facts).not().containsText("Queue timeout");
    assertThat(page.getByTestId("job-result")).containsText("7");
    Looks.well(page, "job-ended-light-1280.png");

    Locator delete = page.getByTestId("action-delete");
    delete.click();
    assertThat(page.getByTestId("confirm")).containsText("will be deleted permanently");
    page.keyboard().press("Escape");
    assertThat(page.getByTestId("confirm")).hasCount(0);
    assertThat(node.get("/api/v1/jobs/" + id).statusCode()).isEqualTo(200);

    page.route("**/api/v1/jobs/" + id, QuestionsPageIT::refuse);
    delete.click();
    yes(page);
    assertThat(page.getByTestId("job-problem")).hasText("Not deleted: the archive is away");
    assertThat(delete).not().hasAttribute("aria-disabled", "true");
    page.unroute("**/api/v1/jobs/" + id);

    delete.click();
    page.getByTestId("ask-reason").fill("it was a rehearsal");
    yes(page);
    assertThat(page.getByTestId("job-done")).hasText("The job is deleted.");
    assertThat(page.getByTestId("job-problem")).isHidden();
    assertThat(delete).isHidden();
    assertThat(page.getByTestId("job-command")).isFocused();
    assertThat(node.get("/api/v1/jobs/" + id).statusCode()).isEqualTo(404);
    assertThat(node.get("/api/v1/audit?limit=200").body()).contains("it was a rehearsal");
    chromium.forgive(503);
  }

  private static void refuse(Route route) {
    route.fulfill(
        new Route.FulfillOptions()
            .setStatus(503)
            .setContentType("application/problem+json")
            .setBody("{\"detail\":\"the archive is away\"}"));
  }

  @Test
  void anAnswerThatIsOlderThanWhatTheFeedHasToldIsPassedOver() {
    page.route(
        Pattern.compile("/workflow-definitions/scan\\?"), route -> answer(route, DEFINITION));
    page.route("**/api/v1/workflows/w1/events", route -> answer(route, "{\"items\":[]}"));
    page.route(
        "**/api/v1/workflows/w1/why", route -> answer(route, "{\"summary\":\"\",\"steps\":{}}"));
    page.route("**/api/v1/workflows/w1/cancel", requests::add);
    String runs = INSTANCE.formatted("RUNNING", "RUNNING", "PENDING", "PENDING");
    Told told = new Told(page, "workflow/w1");
    told.rows("workflow/w1", "[" + runs + "]");
    open(page, node, "/workflows/w1");
    assertThat(page.getByTestId("graph-step")).hasCount(4);
    page.getByTestId("action-cancel").click();
    assertThat(page.getByTestId("confirm"))
        .containsText("1 step runs and is cancelled; 2 steps wait and will not run.");
    yes(page);
    waitForRequests(1);
    told.rows(
        "workflow/w1",
        "[" + INSTANCE.formatted("CANCELLED", "CANCELLED", "CANCELLED", "SKIPPED") + "]");
    Locator state = page.getByTestId("workflow-state");
    assertThat(state).hasText("Cancelled");
    answer(requests.get(0), INSTANCE.formatted("CANCELLING", "RUNNING", "PENDING", "PENDING"));
    page.getByTestId("action-retry").click();
    assertThat(page.getByTestId("confirm")).containsText("2 steps were cancelled");
    page.keyboard().press("Escape");
    assertThat(state).hasText("Cancelled");
  }

  @Test
  void discardingManyGivesItsReasonWithEachWhateverIsPressedMeanwhile() {
    Told told = new Told(page, "deadletters");
    told.rows("deadletters", List.of(parked(1), parked(2)));
    page.route(Pattern.compile("/deadletters/.*/discard$"), requests::add);
    open(page, node, "/mailboxes");
    act(page, page.getByTestId("groups").locator("tbody tr").first(), "discard-group");
    page.getByTestId("ask-reason").fill("they are of the old form");
    yes(page);
    waitForRequests(1);
    page.getByTestId("deadletters").locator("thead button").first().click();
    answer(requests.get(0), "{}");
    waitForRequests(2);
    for (Route request : requests) {
      assertThat(request.request().headers())
          .containsEntry(REASON, "they%20are%20of%20the%20old%20form");
    }
    answer(requests.get(1), "{}");
    assertThat(page.getByTestId("mail-done")).hasText("2 messages discarded.");
  }

  private static Map<String, Object> parked(int number) {
    String id = "shop:shelf~" + number;
    String cause = "there is no room for crate " + number;
    return Map.of("key", id, "id", id, "actor", "/shop/shelf", "type", "Put", "cause", cause);
  }

  @Test
  void whenTheSessionEndsTheLoginComesAndNoConnectionIsTriedBefore() {
    String who = "{\"login\":true,\"password\":true,\"readOnly\":false,\"role\":\"admin\"%s}";
    Pattern session = Pattern.compile("/api/v1/session$");
    page.route(session, route -> answer(route, who.formatted(",\"user\":\"ann\"")));
    Told told = new Told(page);
    page.clock().install();
    open(page, node, "/types");
    assertThat(page.getByTestId("user")).containsText("ann");
    page.unroute(session);
    page.route(session, requests::add);
    told.close(LOGGED_OUT);
    waitForRequests(1);
    page.clock().fastForward(LONG_MS);
    assertThat(told.connections()).isEqualTo(1);
    answer(requests.get(0), who.formatted(",\"user\":\"ann\"")); // it has another session by now
    assertThat(page.getByTestId("live")).hasAttribute("data-status", "offline");
    page.clock().fastForward(LONG_MS);
    assertThat(page.getByTestId("live")).hasAttribute("data-status", "live");
    assertThat(told.connections()).isEqualTo(2);

    page.unroute(session);
    page.route(session, route -> answer(route, who.formatted("")));
    told.close(LOGGED_OUT);
    assertThat(page.getByTestId("login-go")).isVisible();
    page.clock().fastForward(LONG_MS);
    assertThat(told.connections()).isEqualTo(2);
  }

  @Test
  void theFirstRequestIsCopiedWhereTheBrowserHasNoClipboard() {
    page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    Told told = new Told(page, "overview");
    told.rows(
        "overview",
        """
        [{"key": "node", "countsSince": "2026-01-01T00:00:00Z"}, {"key": "asOf"},
         {"key": "jobs", "count": 0, "byState": {}},
         {"key": "rate", "at": 1, "started": 0, "ended": 0, "startedPerSecond": 0,
          "endedPerSecond": 0},
         {"key": "actors", "count": 0, "queued": 0, "byState": {}, "fullest": []},
         {"key": "parked", "count": 0}, {"key": "mailboxes", "depth": 0}, {"key": "messages"}]
        """);
    open(page, node, "/");
    page.getByTestId("first-job").locator("button").click();
    assertThat(page.getByTestId("copied")).containsText("Copied curl -s -X POST ");
  }
}
