package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.callboard.bootstrap.Chromium.open;
import static io.callboard.bootstrap.Chromium.row;
import static io.callboard.bootstrap.Chromium.yes;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.callboard.codecs.Json;
import io.callboard.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Logs, foreign text, parked messages and wrong addresses in a real browser. */
@Tag("long")
@Tag("real")
class LogPageIT {
  /** Colours, a line that is written over, a title that is not shown; 250 KB before them. */
  private static final String PRINTS =
      "i=0; while [ $i -lt 9000 ]; do i=$((i+1)); echo \"line $i of a long log\"; done;"
          + " printf '\\033[31mred\\033[0m plain\\n';"
          + " printf 'progress 10%%\\rprogress 50%%\\n';"
          + " printf '\\033]0;title\\007after\\n'";

  @RegisterExtension static final Chromium chromium = new Chromium();
  private static LaunchedNode node;

  @BeforeAll
  static void start() throws Exception {
    node = LaunchedNode.start(LaunchedNode.directory("log-page"), "--name", "stage-1");
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  private static String submit(Map<String, String> labels, String... command) throws Exception {
    byte[] body = Json.bytes(Map.of("command", List.of(command), "labels", labels));
    var response = node.send("POST", "/api/v1/jobs", new String(body, StandardCharsets.UTF_8));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    return Json.parse("the job", response.body().getBytes(StandardCharsets.UTF_8))
        .path("id")
        .asText();
  }

  @Test
  void aLogIsDrawnAsATerminalDoesAndReadFromItsEnd() throws Exception {
    String id = submit(Map.of(), "sh", "-c", PRINTS);
    Page page = chromium.page();
    open(page, node, "/jobs/" + id);
    Locator log = page.getByTestId("log");
    assertThat(page.getByTestId("log-state")).hasText("the run has ended");
    assertThat(log.locator(".t-foreground-1")).hasText("red");
    assertThat(log.getByText("progress")).hasText("progress 50%");
    assertThat(log.locator(".line").last()).hasText("after");
    assertThat(page.getByTestId("log-extent"))
        .hasText(Pattern.compile("Showing the last 12[78] KiB of 2\\d\\d KiB\\."));

    page.getByTestId("log-find").fill("LINE 8999");
    page.keyboard().press("Enter");
    assertThat(page.getByTestId("log-found")).hasText("1 of 1");
    assertThat(log.locator(".here")).hasText("line 8999 of a long log");
    assertThat(page.getByTestId("log-follow")).hasAttribute("aria-pressed", "false");

    page.getByTestId("log-earlier").click();
    assertThat(log.locator(".line").first()).hasText("line 1 of a long log");
    assertThat(log.locator(".line")).hasCount(9_003);
    assertThat(page.getByTestId("log-earlier")).isHidden();
    Download whole = page.waitForDownload(() -> page.getByTestId("log-download").click());
    assertThat(whole.suggestedFilename()).endsWith("-run-1.log");
    assertThat(Files.readString(whole.path()))
        .startsWith("line 1 of a long log\n")
        .contains("line 9000 of a long log\n\u001b[31mred");
    page.getByTestId("log-wrap").click();
    page.reload();
    assertThat(page.getByTestId("log-wrap")).hasAttribute("aria-pressed", "false");
    chromium.pictures(node, Map.of("job-log", "/jobs/" + id));
  }

  @Test
  void withoutStorageALogIsShownAndWrappedAndColoursAreChosen() throws Exception {
    String id = submit(Map.of(), "echo", "kept nowhere");
    Page page = chromium.page();
    page.addInitScript(
        "Object.defineProperty(window, 'localStorage',"
            + " { get() { throw new DOMException('blocked', 'SecurityError'); } })");
    open(page, node, "/jobs/" + id);
    assertThat(page.getByTestId("log")).containsText("kept nowhere");
    page.getByTestId("log-wrap").click();
    assertThat(page.getByTestId("log-wrap")).hasAttribute("aria-pressed", "false");
    page.getByTestId("theme").click();
    assertThat(page.locator("html")).hasAttribute("data-theme", "light");
    assertThat(page.getByTestId("theme")).containsText("light");
  }

  @Test
  void aLogIsFollowedWhileItGrows() throws Exception {
    String script = "while :; do i=$((i+1)); echo act $i; sleep 0.1; done";
    String id = submit(Map.of(), "sh", "-c", script);
    Page page = chromium.page();
    open(page, node, "/jobs/" + id);
    assertThat(page.getByTestId("log")).containsText("act 40");
    assertThat(page.getByTestId("log-state")).hasText("following");
    double fromEnd =
        ((Number)
                page.getByTestId("log")
                    .evaluate("pre => pre.scrollHeight - pre.clientHeight - pre.scrollTop"))
            .doubleValue();
    assertThat(fromEnd).isLessThan(30);
    page.getByTestId("action-cancel").click();
    yes(page);
    assertThat(page.getByTestId("log-state")).hasText("the run has ended");
  }

  @Test
  void foreignTextShowsWhatItIsAndIsCopiedWhole() throws Exception {
    String id = submit(Map.of("by", "\u202eevil"), "echo", "\u202egnp.exe", "a".repeat(3_000));
    Page page = chromium.page(ColorScheme.LIGHT, 1280);
    open(page, node, "/jobs");
    assertThat(row(page, "jobs", id)).containsText("⟪202E⟫gnp.exe");
    assertThat(row(page, "jobs", id)).containsText("by=⟪202E⟫evil");
    row(page, "jobs", id).locator("a").click();
    assertThat(page.getByTestId("job-command")).hasClass(Pattern.compile("cut"));
    page.getByText("show all").click();
    assertThat(page.getByTestId("job-command")).not().hasClass(Pattern.compile("cut"));
    assertThat(page)
        .hasTitle(Pattern.compile("^(\\(\\d+\\) )?echo '⟪202E⟫gnp.exe'.* – main – Callboard$"));
    page.context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
    page.getByTestId("job-facts").locator("button.copy").first().click();
    assertThat(page.getByTestId("copied")).hasText("Copied " + id);
    assertThat(page.evaluate("navigator.clipboard.readText()")).isEqualTo(id);
    page.getByTestId("events").locator("time").last().click();
    assertThat(page.getByTestId("copied")).hasText(Pattern.compile("Copied \\d{4}-.*"));
    assertThat((String) page.evaluate("navigator.clipboard.readText()"))
        .matches("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");
  }

  @Test
  void wrongAddressesAndUnknownStatesAreSaidAndTheWayBackKeepsThePlace() throws Exception {
    for (int i = 0; i < 45; i++) {
      submit(Map.of(), "true");
    }
    Page page = chromium.page();
    open(page, node, "/jobs/%");
    assertThat(page.getByTestId("view-problem")).containsText("two hexadecimal digits");
    open(page, node, "/jobs?state=NOPE");
    assertThat(page.getByTestId("jobs-problem")).containsText("must be one of");
    assertThat(page.getByText("No job matches.")).isHidden();
    assertThat(page.getByText("Not read.")).isVisible();

    open(page, node, "/jobs");
    Locator some = page.getByTestId("jobs").locator("tbody tr").nth(35);
    String key = some.getAttribute("data-key");
    some.locator("a").click();
    assertThat(page.getByTestId("job-facts")).containsText(key);
    page.goBack();
    assertThat(row(page, "jobs", key).locator("a")).isFocused();
    assertThat(row(page, "jobs", key)).isInViewport();

    row(page, "jobs", key).locator("a").click();
    assertThat(page.getByTestId("job-facts")).containsText(key);
    backWhileItIsScrolled(page);
    assertThat(row(page, "jobs", key).locator("a")).isFocused();
    assertThat(row(page, "jobs", key)).isInViewport();

    row(page, "jobs", key).locator("a").click();
    assertThat(page.getByTestId("job-facts")).containsText(key);
    page.evaluate("document.body.style.paddingTop = '3000px'");
    page.goBack();
    assertThat(row(page, "jobs", key).locator("a")).isFocused();
    assertThat(row(page, "jobs", key)).isInViewport();
  }

  /** The page is busy from the moment at which it is on its way until all that waits is due. */
  private static void backWhileItIsScrolled(Page page) {
    page.evaluate(
        """
        () => new Promise((done) => {
          addEventListener('popstate', () => {
            const until = performance.now() + 400;
            while (performance.now() < until);
          }, { once: true });
          addEventListener('hashchange', () => setTimeout(done), { once: true });
          dispatchEvent(new Event('scroll'));
          history.back();
        })""");
  }

  @Test
  void parkedMessagesAreReplayedByTheirCause() throws Exception {
    try (Spoiler spoiler = new Spoiler(node.zookeeper(), "crate 1", "crate 2", "crate 3", "tea")) {
      Page page = chromium.page();
      open(page, node, "/mailboxes");
      Locator crates = page.getByTestId("groups").locator("tbody tr").first();
      assertThat(crates).containsText("there is no room for crate …");
      assertThat(crates.locator("td[data-label=Messages]")).hasText("3");
      chromium.pictures(node, Map.of("mailboxes-grouped", "/mailboxes"));
      Locator message = page.getByTestId("deadletters").locator("tbody tr").first();
      message.locator("td[data-label=Message] a").click();
      assertThat(page.getByTestId("letter-cause")).containsText("there is no room for");
      assertThat(page.getByTestId("letter-facts")).containsText(Spoiler.PATH);
      open(page, node, "/mailboxes" + Spoiler.PATH);
      assertThat(page.getByText("No message waits.")).isVisible();

      open(page, node, "/mailboxes");
      spoiler.mend();
      crates.locator("button[data-verb=replay-group]").click();
      assertThat(page.getByTestId("confirm")).containsText("there is no room for crate ");
      assertThat(page.getByTestId("confirm")).containsText("3 messages");
      page.getByTestId("ask-rate").fill("100");
      yes(page);
      assertThat(page.getByTestId("mail-done")).hasText("3 messages are replayed, 100 a second.");
      Eventually.assertThat(
          () ->
              assertThat(spoiler.kept).containsExactlyInAnyOrder("crate 1", "crate 2", "crate 3"));
      assertThat(page.getByTestId("deadletters").locator("tbody tr")).hasCount(1);
      assertThat(page.getByTestId("groups")).isHidden();
    }
  }
}
