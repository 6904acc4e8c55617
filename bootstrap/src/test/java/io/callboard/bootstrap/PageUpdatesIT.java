package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.callboard.bootstrap.Chromium.act;
import static io.callboard.bootstrap.Chromium.open;
import static io.callboard.bootstrap.Chromium.yes;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page does with what it is told while somebody works in it, in a real browser. */
@Tag("long")
@Tag("real")
class PageUpdatesIT {
  private static final Pattern PEEK = Pattern.compile("/messages\\?");
  private static final int LONG_MS = 10_000;

  @RegisterExtension static final Chromium chromium = new Chromium();
  private static LaunchedNode node;

  private final List<Route> requests = new ArrayList<>();
  private Page page;

  @BeforeAll
  static void start() throws Exception {
    node = LaunchedNode.start(LaunchedNode.directory("page-updates"), "--name", "stage-1");
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

  private static Map<String, Object> paused(String type, String severity, String does, int jobs) {
    return Map.of(
        "key",
        type,
        "id",
        type,
        "rule",
        "TYPE_PAUSED",
        "severity",
        severity,
        "cause",
        "it is paused, and %d jobs wait".formatted(jobs),
        "since",
        "2026-01-01T00:00:00Z",
        "subject",
        Map.of("kind", "TYPE", "name", type),
        "action",
        Map.of("label", does, "command", "callboard", "post", "/types/ocr/resume"));
  }

  private static void answer(Route route, int status, String body) {
    route.fulfill(
        new Route.FulfillOptions()
            .setStatus(status)
            .setContentType("application/json")
            .setBody(body));
  }

  private void waitForRequests(int number) {
    page.waitForCondition(() -> requests.size() >= number);
    assertThat(requests).hasSize(number);
  }

  /** Asserts that no more requests are made, by the answer to one that is made after them. */
  private void noMoreRequestsThan(int number) {
    page.evaluate("fetch('api/v1/stats').then(answer => answer.text()).then(() => 0)");
    assertThat(requests).hasSize(number);
  }

  @Test
  void aRowIsDrawnAnewInItsPlaceAndItsButtonKeepsTheFocus() {
    Told told = new Told(page, "attention");
    Map<String, Object> etl = paused("etl", "WARNING", "resume it", 1);
    told.rows("attention", List.of(etl, paused("ocr", "NOTICE", "resume it", 1)));
    open(page, node, "/");
    Locator rows = page.getByTestId("troubles").locator("li");
    assertThat(rows.last()).hasAttribute("data-key", "ocr");
    Locator button = page.getByTestId("troubles").locator("li[data-key=ocr] button");
    button.evaluate("one => { one.focus(); one.onblur = () => { window.blurred = true; }; }");
    told.rows("attention", List.of(etl, paused("ocr", "CRITICAL", "resume it", 2)));
    assertThat(rows.first()).hasAttribute("data-key", "ocr");
    assertThat(rows.first()).hasAttribute("data-severity", "CRITICAL");
    assertThat(rows.first()).containsText(", critical");
    assertThat(rows.first()).containsText("2 jobs wait");
    assertThat(button).isFocused();
    assertThat(page.evaluate("window.blurred")).isNull();
    told.rows("attention", List.of(etl, paused("ocr", "CRITICAL", "start it again", 2)));
    assertThat(button).hasText("start it again");
    assertThat(button).isFocused();
  }

  @Test
  void anActionOfTheAttentionCardReportsAndItsFailureStays() {
    Told told = new Told(page, "attention");
    told.rows("attention", List.of(paused("ocr", "NOTICE", "resume it", 1)));
    page.route("**/types/ocr/resume", requests::add);
    open(page, node, "/");
    Locator ocr = page.getByTestId("troubles").locator("li");
    ocr.locator("button").click();
    yes(page);
    waitForRequests(1);
    answer(requests.get(0), 409, "{\"detail\":\"it is being removed\"}");
    Locator problem = page.getByTestId("attention-problem");
    assertThat(problem).hasText("Failed for ocr: it is being removed");
    told.rows("attention", List.of(paused("ocr", "NOTICE", "resume it", 2)));
    assertThat(ocr).containsText("2 jobs wait");
    assertThat(problem).isVisible();

    ocr.locator("button").click();
    yes(page);
    waitForRequests(2);
    told.rows("attention", List.of(paused("ocr", "NOTICE", "resume it", 3)));
    assertThat(ocr).containsText("3 jobs wait");
    assertThat(ocr.locator("button")).hasAttribute("aria-disabled", "true");
    told.rows("attention", List.of());
    assertThat(page.getByTestId("attention").locator("h2")).isFocused();
    answer(requests.get(1), 200, "{}");
    assertThat(page.getByTestId("attention-done")).hasText("ocr: resume it was accepted.");
    assertThat(problem).isHidden();
    chromium.forgive(409);
  }

  @Test
  void aSectionThatCannotBeReadIsNotCalledWell() {
    Told told = new Told(page, "attention", "roles");
    told.rows("attention", List.of(paused("ocr", "NOTICE", "resume it", 1)));
    open(page, node, "/roles/painter");
    assertThat(page).hasTitle("(1) painter – main – Callboard");
    told.error("attention", "the node is busy");
    assertThat(page.getByTestId("live")).hasAttribute("data-status", "unread");
    assertThat(page).hasTitle("(?) painter – main – Callboard");
    told.rows("attention", List.of());
    assertThat(page.getByTestId("live")).hasAttribute("data-status", "live");
    assertThat(page).hasTitle("painter – main – Callboard");

    assertThat(page.getByTestId("role-problem")).containsText("There is no role of this name");
    Map<String, Object> painter =
        Map.of(
            "key", "painter",
            "name", "painter",
            "holder", "stage-1",
            "standby", "stage-2",
            "epoch", 1,
            "failovers", List.of(),
            "candidates", List.of("stage-1", "stage-2"));
    told.rows("roles", List.of(painter));
    assertThat(page.locator("button[data-verb=failover]")).isVisible();
    assertThat(page.getByTestId("role-problem")).isHidden();
  }

  @Test
  void discardingManyPassesOverWhatIsGoneAndEndsWithItsView() {
    Told told = new Told(page, "deadletters");
    told.rows("deadletters", IntStream.range(0, 6).mapToObj(PageUpdatesIT::parked).toList());
    Pattern discard = Pattern.compile("/deadletters/.*/discard$");
    page.route(
        discard,
        route -> {
          int status = Map.of("2", 404, "3", 409).getOrDefault(number(route), 200);
          answer(route, status, "{\"detail\":\"it is being replayed\"}");
        });
    open(page, node, "/mailboxes");
    Locator group = page.getByTestId("groups").locator("tbody tr").first();
    act(page, group, "discard-group");
    yes(page);
    assertThat(page.getByTestId("mail-problem"))
        .hasText(
            "Not all were discarded: 4 messages discarded, 1 gone already,"
                + " 1 failed and still parked. it is being replayed");
    page.unroute(discard);
    page.route(discard, requests::add);
    act(page, group, "discard-group");
    yes(page);
    waitForRequests(1);
    open(page, node, "/zones");
    answer(requests.get(0), 200, "{}");
    noMoreRequestsThan(1);
    chromium.forgive(404);
    chromium.forgive(409);
  }

  @Test
  void aViewThatFailsSaysSoAndTheRestLivesOn() {
    List<Map<String, Object>> broken = List.of(Map.of("key", "shelf")); // it lacks the path
    Told told = new Told(page, "mailboxes", "deadletters");
    told.rows("mailboxes", broken);
    open(page, node, "/mailboxes");
    Locator failed = page.getByTestId("view-failed");
    assertThat(failed).containsText("A part of this view failed: ");
    assertThat(failed.locator("pre")).containsText("mailboxes.js");
    told.rows("deadletters", List.of(parked(0)));
    assertThat(page.getByTestId("deadletters")).containsText("there is no room for crate 0");
    assertThat(page.getByTestId("live")).hasAttribute("data-status", "live");
    Looks.well(page, "view-failed-light-1280.png");

    told.rows("mailboxes", List.of());
    failed.locator("button").click();
    assertThat(failed).hasCount(0);
    assertThat(page.getByText("This node owns no durable mailbox.")).isVisible();
    told.rows("mailboxes", broken);
    assertThat(failed).isVisible();
    page.getByTestId("nav-cell").click();
    assertThat(page.locator("h1")).hasText("Roles");
    assertThat(failed).hasCount(0);
    chromium.forgive("undefined");
  }

  private static String number(Route route) {
    return route.request().url().replaceAll(".*~(\\d+)/discard$", "$1");
  }

  private static Map<String, Object> parked(int number) {
    String id = "shop:shelf~" + number;
    String cause = "there is no room for crate " + number;
    return Map.of("key", id, "id", id, "actor", "/shop/shelf", "type", "Put", "cause", cause);
  }

  @Test
  void aChangedMessageIsSentAsItWasTypedAndNothingTypedIsLost() {
    String message =
        "{\"id\":\"x\",\"actor\":\"/shop/shelf\",\"size\":9,\"type\":\"Put\","
            + "\"maskedByNames\":true,\"body\":{\"n\":12345678901234567890,\"price\":1.00}}";
    page.route("**/deadletters/x", route -> answer(route, 200, message));
    page.route("**/deadletters/x/replay", requests::add);
    open(page, node, "/deadletters/x");
    assertThat(page.getByTestId("letter-body")).containsText("\"price\": 1.00");
    assertThat(page.getByTestId("letter-by-names")).containsText("does not know the class");
    Locator edit = page.getByTestId("letter-edit");
    Locator field = page.getByTestId("ask-body");
    edit.click();
    assertThat(field).hasValue("{\n  \"n\": 12345678901234567890,\n  \"price\": 1.00\n}");
    field.fill("{\"n\": 1");
    yes(page);
    assertThat(page.getByTestId("ask-problem")).containsText("This is not JSON");
    page.keyboard().press("Escape");
    edit.click();
    assertThat(field).hasValue("{\"n\": 1");
    field.fill("{\"n\": 12345678901234567891}");
    yes(page);
    waitForRequests(1);
    answer(requests.get(0), 400, "{\"detail\":\"n is too large\"}");
    assertThat(page.getByTestId("letter-problem")).containsText("n is too large");
    edit.click();
    assertThat(field).hasValue("{\"n\": 12345678901234567891}");
    yes(page);
    waitForRequests(2);
    assertThat(requests.get(1).request().postData())
        .isEqualTo("{\"body\":{\"n\": 12345678901234567891}}");
    answer(requests.get(1), 202, "{}");
    assertThat(page.getByTestId("letter-done")).containsText("The changed message was put back");
    chromium.forgive(400);
  }

  @Test
  void aMailboxIsReadAgainOnlyWhileItsViewIsThereAndSeen() {
    page.clock().install();
    page.route(PEEK, requests::add);
    open(page, node, "/mailboxes/shop/shelf");
    waitForRequests(1);
    answer(requests.get(0), 200, "{\"items\":[]}");
    assertThat(page.getByText("No message waits.")).isVisible();
    page.clock().fastForward(LONG_MS);
    waitForRequests(2);
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true, writable: true })");
    answer(requests.get(1), 200, "{\"items\":[]}");
    page.clock().fastForward(LONG_MS);
    noMoreRequestsThan(2);
    page.evaluate("document.hidden = false; document.dispatchEvent(new Event('visibilitychange'))");
    waitForRequests(3);
    List<String> ended = new ArrayList<>();
    page.onRequestFailed(request -> ended.add(request.url()));
    open(page, node, "/zones");
    page.waitForCondition(() -> ended.stream().anyMatch(PEEK.asPredicate()));
    page.clock().fastForward(LONG_MS);
    noMoreRequestsThan(3);
  }
}
