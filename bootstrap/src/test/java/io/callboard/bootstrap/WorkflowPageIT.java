package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import io.callboard.codecs.Json;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The views of workflows in a real browser; skipped without one. */
@Tag("long")
@Tag("real")
class WorkflowPageIT {
  @RegisterExtension static final Chromium chromium = new Chromium();
  private static LaunchedNode node;
  private static Path data;

  @BeforeAll
  static void launch() throws Exception {
    data = LaunchedNode.directory("workflow-page");
    node = LaunchedNode.start(data, "--name", "stage-1");
  }

  @AfterAll
  static void quit() {
    if (node != null) {
      node.close();
    }
  }

  private static Page page() {
    return chromium.page(node, ColorScheme.LIGHT, 1280);
  }

  private static void open(Page page, String view) {
    page.navigate(node.url() + "/#" + view);
    assertThat(page.getByTestId("live")).hasAttribute("data-status", "live");
  }

  /** A graph with branches, a join, a failure that is handled, a cleanup and a long edge. */
  private static JsonNode definition(String name, Path go) {
    String waits = "echo looks for it; until [ -e %s ]; do sleep 0.1; done".formatted(go);
    Map<String, Object> steps = new LinkedHashMap<>();
    steps.put("fetch", step("echo fetched", Map.of()));
    steps.put("convert", step("echo converted", Map.of("fetch", "success")));
    steps.put("recognise", step("echo no picture; exit 3", Map.of("fetch", "success")));
    steps.put("tag", step("echo tagged", Map.of("convert", "success")));
    steps.put("apologise", step("echo sorry", Map.of("recognise", "failure")));
    steps.put("check", step(waits, Map.of("tag", "success")));
    steps.put("index", step("echo indexed", Map.of("check", "success", "recognise", "any")));
    steps.put("celebrate", step("true", Map.of("recognise", "success", "index", "success")));
    return Json.tree(
        Map.of("name", name, "steps", steps, "finally", Map.of("cleanup", step("true", Map.of()))));
  }

  private static Map<String, Object> step(String script, Map<String, String> after) {
    return Map.of(
        "run", "process", "with", Map.of("command", List.of("sh", "-c", script)), "after", after);
  }

  private static JsonNode send(String method, String path, String body, int status)
      throws Exception {
    HttpResponse<String> answer = node.send(method, "/api/v1" + path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return Json.parse("the answer", answer.body().getBytes(StandardCharsets.UTF_8));
  }

  private static String start(String name) throws Exception {
    return send(
            "POST", "/workflows", "{\"definition\":\"" + name + "\",\"input\":{\"page\":7}}", 201)
        .path("id")
        .asText();
  }

  private static Locator step(Page page, String id) {
    return page.locator("[data-testid=graph-step][data-step=%s]".formatted(id));
  }

  @Test
  void graphFollowsTheInstanceAndShowsItsSteps() throws Exception {
    Path go = data.resolve("go-live");
    JsonNode definition = definition("live", go);
    JsonNode unused = send("PUT", "/workflow-definitions/live", definition.toString(), 201);
    String id = start("live");
    Page page = page();
    open(page, "/workflows");
    assertThat(page.getByTestId("definitions")).containsText("live");
    page.locator("tr[data-key='%s'] a".formatted(id)).click();
    assertThat(page).hasURL(Pattern.compile(".*#/workflows/" + id + "$"));
    assertThat(page.getByTestId("graph-step")).hasCount(9);
    assertThat(step(page, "check")).hasAttribute("data-state", "RUNNING");
    assertThat(step(page, "index")).hasAttribute("data-state", "PENDING");
    assertThat(step(page, "recognise")).hasAttribute("data-state", "FAILED");
    assertThat(page.getByTestId("why")).containsText("index");
    step(page, "check").click();
    assertThat(page.getByTestId("step").locator("a[href^='#/jobs/']")).containsText("job");
    assertThat(page.getByTestId("step-log")).containsText("looks for it");
    Files.createFile(go);
    assertThat(page.getByTestId("workflow-state")).containsText("Succeeded");
    assertThat(step(page, "apologise")).hasAttribute("data-state", "SUCCEEDED");
    assertThat(step(page, "celebrate")).hasAttribute("data-state", "SKIPPED");
    assertThat(step(page, "cleanup")).hasAttribute("data-state", "SUCCEEDED");
    assertThat(page.getByTestId("timeline").locator(".lane")).hasCount(8);
    assertThat(page.getByTestId("steps")).containsText("success of recognise");

    step(page, "convert").focus();
    page.keyboard().press("Enter");
    assertThat(page.getByTestId("step")).containsText("Step convert");
    assertThat(page.getByTestId("step-log")).containsText("converted");
    page.getByTestId("rerun-from").click();
    page.getByTestId("confirm-yes").click();
    assertThat(page.getByTestId("events")).containsText("again");
    assertThat(page.getByTestId("workflow-state")).containsText("Succeeded");

    open(page, "/definitions/live");
    page.getByTestId("versions").locator("tbody a").click();
    assertThat(page)
        .hasURL(Pattern.compile(".*#/workflows\\?definition=live&version=[0-9a-f]{64}$"));
    assertThat(page.getByTestId("workflows").locator("tbody tr")).hasCount(1);
    assertThat(page.locator("tr[data-key='%s']".formatted(id))).isVisible();
  }

  @Test
  void reasonsThatAreNotShownAreCounted() throws Exception {
    Path go = data.resolve("go-wide");
    Map<String, Object> steps = new LinkedHashMap<>();
    steps.put("first", step("until [ -e %s ]; do sleep 0.1; done".formatted(go), Map.of()));
    for (int i = 1; i <= 14; i++) {
      steps.put("step-" + i, step("true", Map.of("first", "success")));
    }
    JsonNode unused =
        send(
            "PUT",
            "/workflow-definitions/wide",
            Json.tree(Map.of("name", "wide", "steps", steps)).toString(),
            201);
    Page page = page();
    open(page, "/workflows/" + start("wide"));
    assertThat(page.getByTestId("why-more")).containsText("and 3 more");
    assertThat(page.getByTestId("why").locator("li")).hasCount(14);
    String why = "{\"state\":\"RUNNING\",\"summary\":\"it waits\",\"steps\":{},\"more\":9000}";
    page.route(
        "**/workflows/*/why",
        route ->
            route.fulfill(
                new Route.FulfillOptions().setContentType("application/json").setBody(why)));
    page.reload();
    assertThat(page.getByTestId("why-more")).containsText("and 9,000 more");
    Files.createFile(go);
    assertThat(page.getByTestId("workflow-state")).containsText("Succeeded");
  }

  @Test
  void aStepOfAHandlerJobShowsItsJobWithArgumentsAndWhyItWaits() throws Exception {
    JsonNode unused =
        send(
            "PUT",
            "/types/report",
            "{\"runner\":\"handler\",\"handler\":\"report\",\"limit\":1}",
            200);
    Map<String, Object> with = Map.of("type", "report", "args", Map.of("page", "${/input/page}"));
    unused =
        send(
            "PUT",
            "/workflow-definitions/reports",
            Json.tree(
                    Map.of(
                        "name",
                        "reports",
                        "steps",
                        Map.of("write", Map.of("run", "job", "with", with))))
                .toString(),
            201);
    Page page = page();
    open(page, "/workflows/" + start("reports"));
    assertThat(step(page, "write")).hasAttribute("data-state", "RUNNING");
    step(page, "write").click();
    page.getByTestId("step").locator("a[href^='#/jobs/']").click();
    assertThat(page.getByTestId("job-command")).containsText("report {\"page\":7}");
    assertThat(page.getByTestId("job-args")).containsText("\"page\": 7");
    assertThat(page.getByTestId("why")).containsText("no host offers the handler \"report\"");
    page.getByTestId("action-cancel").click();
    page.getByTestId("confirm-yes").click();
    page.goBack();
    assertThat(page.getByTestId("workflow-state")).containsText("Failed");
  }

  @Test
  void instanceIsCancelledAndRetried() throws Exception {
    Path go = data.resolve("go-retry");
    JsonNode definition = definition("retried", go);
    JsonNode unused = send("PUT", "/workflow-definitions/retried", definition.toString(), 201);
    String id = start("retried");
    Page page = page();
    open(page, "/workflows/" + id);
    assertThat(step(page, "check")).hasAttribute("data-state", "RUNNING");
    page.getByTestId("action-cancel").click();
    page.getByTestId("confirm-yes").click();
    assertThat(page.getByTestId("workflow-state")).containsText("Cancelled");
    Files.createFile(go);
    page.getByTestId("action-retry").click();
    assertThat(page.getByTestId("confirm")).containsText("was skipped because of that runs again");
    page.getByTestId("confirm-yes").click();
    assertThat(step(page, "index")).hasAttribute("data-state", "SUCCEEDED");
    assertThat(page.getByTestId("workflow-state")).containsText("Succeeded");
  }

  @Test
  void aFinallyStepThatHangsIsCancelledByASecondClick() throws Exception {
    String body =
        Json.tree(
                Map.of(
                    "name",
                    "hangs",
                    "steps",
                    Map.of("work", step("true", Map.of())),
                    "finally",
                    Map.of("cleanup", step("sleep 600", Map.of()))))
            .toString();
    JsonNode unused = send("PUT", "/workflow-definitions/hangs", body, 201);
    Page page = page();
    open(page, "/workflows/" + start("hangs"));
    assertThat(step(page, "cleanup")).hasAttribute("data-state", "RUNNING");
    page.getByTestId("action-cancel").click();
    page.getByTestId("confirm-yes").click();
    assertThat(page.getByTestId("workflow-state")).containsText("Cancelling");
    Locator force = page.getByTestId("action-cancel");
    assertThat(force).hasText("Cancel finally and compensation too");
    force.click();
    page.getByTestId("confirm-yes").click();
    assertThat(page.getByTestId("workflow-state")).containsText("Cancelled");
    assertThat(page.getByTestId("workflow-facts"))
        .containsText("finally did not complete: cleanup");
    assertThat(page.getByTestId("events")).containsText("cancelling by force");
  }

  @Test
  void brakeIsOverriddenAndGivenBackToItsMeasurements() throws Exception {
    String name = "braked";
    Path go = Files.createFile(data.resolve("go-braked"));
    JsonNode unused =
        send("PUT", "/workflow-definitions/" + name, definition(name, go).toString(), 201);
    String first = start(name);
    Page page = page();
    open(page, "/workflows/" + first);
    assertThat(page.getByTestId("workflow-state")).containsText("Succeeded");

    open(page, "/definitions/" + name);
    assertThat(page.getByTestId("brake-state")).containsText("Off");
    Locator counted = page.getByTestId("counted");
    assertThat(counted.locator("tr[data-key=tag]")).containsText("1");
    assertThat(counted.locator("tr[data-key=recognise] td[data-label=Failed]")).hasText("1");
    page.getByTestId("brake-change").click();
    page.getByTestId("brake-set").click();
    assertThat(page.getByTestId("brake-problem")).containsText("Give a reason");
    page.getByTestId("brake-reason").fill("the scanner is broken");
    page.getByTestId("brake-set").click();
    assertThat(page.getByTestId("brake-state")).containsText("Overridden");
    assertThat(page.getByTestId("brake")).containsText("the scanner is broken");
    String held = start(name);
    assertThat(page.getByTestId("brake-state")).containsText("1 wait");
    page.waitForTimeout(4_000); // longer than it takes to call a connection stale
    assertThat(page.getByTestId("live")).hasAttribute("data-status", "live");
    Looks.well(page, "definition-braked.png");

    open(page, "/workflows");
    assertThat(page.getByTestId("definitions").locator("tr[data-key=%s]".formatted(name)))
        .containsText("Overridden 0 may run 1 wait");
    open(page, "/workflows/" + held);
    assertThat(page.getByTestId("why")).containsText("the scanner is broken");
    open(page, "/definitions/" + name);
    page.getByTestId("brake-release").click();
    page.getByTestId("ask-reason").fill("the scanner is mended");
    page.getByTestId("confirm-yes").click();
    assertThat(page.getByTestId("brake-state")).containsText("Off");
    assertThat(node.get("/api/v1/audit?limit=200").body())
        .contains("the scanner is broken")
        .contains("the scanner is mended");
    open(page, "/workflows/" + held);
    assertThat(page.getByTestId("workflow-state")).containsText("Succeeded");
  }

  private static Locator row(Page page, String id) {
    return page.getByTestId("workflows").locator("tr[data-key='%s']".formatted(id));
  }

  private static Locator chip(Page page, String state) {
    return page.getByTestId("filter-" + state);
  }

  @Test
  void manyAreActedOnAfterTheExtentWasTold() throws Exception {
    Path go = data.resolve("go-many"); // which is never made
    Map<String, Object> steps =
        Map.of("wait", step("until [ -e %s ]; do sleep 0.1; done".formatted(go), Map.of()));
    JsonNode definition = Json.tree(Map.of("name", "many", "steps", steps));
    JsonNode unused = send("PUT", "/workflow-definitions/many", definition.toString(), 201);
    List<String> ids = List.of(start("many"), start("many"), start("many"));
    Page page = page();
    open(page, "/workflows?definition=many");
    assertThat(page.getByTestId("position")).hasText("1 to 3; 3 in the cell");
    assertThat(chip(page, "RUNNING")).containsText("3");
    assertThat(chip(page, "FAILED")).containsText("0");

    Locator act = page.getByTestId("bulk-go");
    assertThat(act).hasText("Act on all that match");
    Locator box = row(page, ids.get(0)).locator("input[type=checkbox]");
    box.check();
    assertThat(act).hasText("Act on 1 selected");
    act.click();
    assertThat(page.getByTestId("confirm")).containsText("1 workflow will be cancelled");
    page.getByTestId("ask-reason").fill("the wrong input");
    page.getByTestId("confirm-yes").click();
    Locator line = page.getByTestId("bulk-line");
    assertThat(line).containsText("Cancel: 1 of 1 workflow tried, 0 failed; done");
    assertThat(row(page, ids.get(0))).containsText("Cancelled");
    assertThat(chip(page, "CANCELLED")).containsText("1");
    assertThat(box).isChecked();
    box.uncheck();

    page.getByTestId("bulk-action").selectOption("delete");
    act.click();
    assertThat(page.getByTestId("confirm")).containsText("will be deleted: 1 cancelled");
    assertThat(page.getByTestId("confirm")).containsText("It was created ");
    Looks.well(page, "workflows-bulk.png");
    page.getByTestId("confirm-yes").click();
    assertThat(line).containsText("Delete: 1 of 1 workflow tried, 0 failed; done");
    assertThat(page.getByTestId("workflows").locator("tbody tr")).hasCount(2);
    assertThat(page.getByTestId("position")).hasText("1 to 2; 2 in the cell");

    page.getByTestId("bulk-action").selectOption("cancel");
    act.click();
    assertThat(page.getByTestId("confirm")).containsText("will be cancelled: 2 running");
    page.getByTestId("ask-rate").fill("0.01");
    page.getByTestId("confirm-yes").click();
    assertThat(line).containsText("1 of 2 workflows tried");
    page.getByTestId("bulk-stop").click();
    assertThat(line).containsText("1 were not tried");
    chip(page, "RUNNING").click();
    assertThat(page.getByTestId("position")).hasText("1 to 1; 1 in the cell");
    assertThat(row(page, ids.get(2))).isVisible(); // the oldest were first
    page.getByTestId("bulk-action").selectOption("retry");
    act.click();
    assertThat(page.getByTestId("bulk-problem")).containsText("a workflow that is RUNNING");
    // the browser says of each refused request that it was
    chromium.forgive("/workflow-actions/retry?state=RUNNING");
    assertThat(node.get("/api/v1/audit?limit=200").body())
        .contains("1 workflow " + ids.get(0) + ", 10 a second")
        .contains("the wrong input")
        .contains("2 workflows of definition many, until ");
    JsonNode stopped = send("POST", "/workflows/" + ids.get(2) + "/cancel", "{}", 202);
    assertThat(stopped.path("id").asText()).isEqualTo(ids.get(2));
  }

  @Test
  void aPageSaysWhichOfHowManyItShows() throws Exception {
    String steps = "{\"name\":\"paged\",\"steps\":{\"a\":{\"run\":\"handler:nobody\"}}}";
    JsonNode unused = send("PUT", "/workflow-definitions/paged", steps, 201);
    for (int i = 0; i < 52; i++) {
      String id = start("paged");
      assertThat(id).isNotEmpty();
    }
    Page page = page();
    open(page, "/workflows?definition=paged");
    Locator position = page.getByTestId("position");
    assertThat(position).hasText("1 to 50; 52 in the cell");
    page.getByTestId("older").click();
    assertThat(position).hasText("51 to 52; 52 in the cell");
    assertThat(page.getByTestId("older")).isDisabled();
    page.getByTestId("newest").click();
    assertThat(position).hasText("1 to 50; 52 in the cell");
    page.getByTestId("bulk-go").click();
    assertThat(page.getByTestId("confirm")).containsText("will be cancelled: 52 running");
    page.getByTestId("ask-rate").fill("100");
    page.getByTestId("confirm-yes").click();
    assertThat(page.getByTestId("bulk-line"))
        .containsText("52 of 52 workflows tried, 0 failed; done");
    assertThat(chip(page, "CANCELLED")).containsText("52");
  }

  @Test
  void viewsLookWellInEveryLightAndWidth() throws Exception {
    Path go = data.resolve("go-pictures");
    JsonNode definition = definition("pictures", go);
    JsonNode unused = send("PUT", "/workflow-definitions/pictures", definition.toString(), 201);
    String id = start("pictures");
    for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      for (int width : List.of(1280, 390)) {
        Page page = chromium.page(node, colours, width);
        for (String view : List.of("/workflows", "/workflows/" + id, "/definitions/pictures")) {
          open(page, view);
          assertThat(page.locator("main .table tbody tr").first()).isVisible();
          if (!view.equals("/workflows")) {
            assertThat(page.getByTestId("graph-step")).hasCount(9);
          }
          if (view.endsWith(id)) {
            assertThat(step(page, "check")).hasAttribute("data-state", "RUNNING");
            step(page, "recognise").click();
            assertThat(page.getByTestId("step")).isVisible();
          }
          String name =
              view.equals("/workflows")
                  ? "workflows"
                  : view.startsWith("/d") ? "definition" : "workflow";
          String light = colours.name().toLowerCase(Locale.ROOT);
          Looks.well(page, "%s-%s-%d.png".formatted(name, light, width));
        }
        page.context().close();
      }
    }
    Files.createFile(go);
  }
}
