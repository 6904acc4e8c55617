package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.callboard.testkit.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page says, in a real browser, of what is broken under it; skipped without a browser. */
@Tag("long")
@Tag("real")
class AttentionPageIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** More than one host takes at once, so that each of two gets some. */
  private static final int RUNS_FOR_BOTH = 12;

  @RegisterExtension static final Chromium chromium = new Chromium(PATIENCE);

  private static Page open(LaunchedNode node, ColorScheme colours, int width) {
    Page page = chromium.page(colours, width);
    page.navigate(node.url() + "/");
    return page;
  }

  private static Locator trouble(Page page, String rule) {
    return page.getByTestId("troubles").locator("li[data-rule=%s]".formatted(rule));
  }

  @Test
  void whenZooKeeperStopsTheHeaderAndEachSectionSaySoAndOldRowsStay() throws Exception {
    Path home = LaunchedNode.directory("store-away");
    LaunchedNode server = LaunchedNode.start(home, "--name", "keeper");
    try (LaunchedNode node =
        LaunchedNode.start(
            LaunchedNode.directory("store-away-page"),
            "--name",
            "page",
            "--zookeeper",
            server.zookeeper())) {
      Page page = open(node, ColorScheme.LIGHT, 1280);
      Locator members = page.getByTestId("members-card");
      assertThat(members).containsText("keeper");
      assertThat(page.getByTestId("live")).hasAttribute("data-status", "live");
      assertThat(page).hasTitle(Pattern.compile("Overview – main – Callboard$"));
      assertThat(page.getByTestId("stale-banner")).isHidden();

      server.kill();
      assertThat(page.getByTestId("live")).hasAttribute("data-status", "away");
      assertThat(page.getByTestId("live")).containsText("store away");
      assertThat(page.getByTestId("stale-banner")).containsText("the store does not answer");
      assertThat(trouble(page, "STORE_UNREACHABLE")).containsText("Store away");
      assertThat(members.getByTestId("unread")).containsText("Not read since ");
      assertThat(members).hasClass(Pattern.compile("\\bold\\b"));
      assertThat(page.getByTestId("stale-banner")).containsText("What may be old is grey");
      assertThat(page.getByTestId("jobs-card")).hasClass(Pattern.compile("\\bold\\b"));
      assertThat(members).containsText("keeper");
      assertThat(page).hasTitle(Pattern.compile("^\\(\\d+\\) Overview – main – Callboard$"));
      Looks.well(page, "attention-store-away-light-1280.png");

      server.close();
      server = LaunchedNode.start(home, "--name", "keeper");
      assertThat(page.getByTestId("live")).hasAttribute("data-status", "live");
      assertThat(trouble(page, "STORE_UNREACHABLE")).hasCount(0);
      assertThat(members.getByTestId("unread")).isHidden();
      assertThat(page.getByTestId("stale-banner")).isHidden();
      chromium.closePages();
    } finally {
      server.close();
    }
  }

  @Test
  void aKilledNodeIsNamedUntilItIsBack() throws Exception {
    try (LaunchedNode first =
        LaunchedNode.start(LaunchedNode.directory("survivor"), "--name", "first")) {
      Path home = LaunchedNode.directory("victim");
      String[] options = {"--name", "second", "--zookeeper", first.zookeeper()};
      LaunchedNode second = LaunchedNode.start(home, options);
      try {
        Page page = open(first, ColorScheme.LIGHT, 1280);
        assertThat(page.getByTestId("members-card")).containsText("second");
        second.kill();
        assertThat(trouble(page, "NODE_LOST")).containsText("second");
        assertThat(trouble(page, "NODE_LOST")).containsText("it did not leave the cell by itself");
        assertThat(trouble(page, "NODE_LOST").locator(".subject a"))
            .hasAttribute("href", "#/nodes/second");
        assertThat(page.getByTestId("members")).containsText("Lost");
        assertThat(page.getByTestId("events")).containsText("node lost second");
        assertThat(page).hasTitle(Pattern.compile("^\\(\\d+\\) "));
        assertThat(page.getByTestId("attention-told")).containsText("now");
        second.close();
        second = LaunchedNode.start(home, options);
        assertThat(trouble(page, "NODE_LOST")).hasCount(0);
        second.terminate();
        assertThat(second.exitCode(Duration.ofSeconds(60))).isZero();
        assertThat(page.getByTestId("members")).containsText("Gone");
        assertThat(trouble(page, "NODE_LOST")).hasCount(0);
        chromium.closePages();
      } finally {
        second.close();
      }
    }
  }

  @Test
  void aHostThatCanWriteNoFilesIsNamedUntilItCan() throws Exception {
    try (LaunchedNode first =
            LaunchedNode.start(LaunchedNode.directory("disk-page"), "--name", "first");
        LaunchedNode second =
            LaunchedNode.start(
                LaunchedNode.directory("disk-full"),
                "--name",
                "second",
                "--zookeeper",
                first.zookeeper())) {
      Page page = open(first, ColorScheme.LIGHT, 1280);
      assertThat(page.getByTestId("members")).containsText("second");
      assertThat(trouble(page, "HOST_FAULT")).hasCount(0);
      second.limitFiles("1");
      for (int i = 0; i < RUNS_FOR_BOTH; i++) {
        first.send("POST", "/api/v1/jobs", "{\"command\":[\"sleep\",\"1\"]}");
      }
      Locator fault = trouble(page, "HOST_FAULT");
      assertThat(fault.locator(".subject")).hasText("second");
      assertThat(fault).containsText("it cannot start job runs: File too large");
      assertThat(fault).hasAttribute("data-severity", "CRITICAL");
      assertThat(page.getByTestId("jobs-by-state"))
          .containsText(Pattern.compile("Succeeded\\s*" + RUNS_FOR_BOTH));
      second.limitFiles("unlimited");
      assertThat(fault).hasCount(0);
      chromium.closePages();
    }
  }

  @Test
  void aPausedTypeIsResumedFromTheCardAndTheDoctorSaysTheSame() throws Exception {
    try (LaunchedNode node =
        LaunchedNode.start(LaunchedNode.directory("paused"), "--name", "stage-1")) {
      Page page = open(node, ColorScheme.LIGHT, 1280);
      assertThat(page.getByTestId("attention-state"))
          .containsText(
              Pattern.compile("Nothing is wrong\\. Read were: .* threads of node stage-1; "));
      assertThat(page).hasTitle("Overview – main – Callboard");
      // one that could not read something in time would be right to say so
      Eventually.assertThat(
          Duration.ofSeconds(60),
          () -> {
            try {
              assertThat(doctor(node)).isZero();
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          });
      assertThat(
              node.send("PUT", "/api/v1/types/ocr", "{\"limit\":1,\"paused\":true}").statusCode())
          .isEqualTo(200);
      node.send("POST", "/api/v1/jobs", "{\"type\":\"ocr\",\"command\":[\"true\"]}");
      node.send("POST", "/api/v1/jobs", "{\"command\":[\"false\"]}");
      Locator paused = trouble(page, "TYPE_PAUSED");
      assertThat(paused.locator(".subject a")).hasAttribute("href", "#/jobs?type=ocr");
      assertThat(paused).containsText("it is paused, and 1 job waits");
      assertThat(trouble(page, "JOBS_DEAD")).containsText("1 job has died in the last hour");
      assertThat(page.getByTestId("tile-dead")).hasText("1");
      assertThat(trouble(page, "JOBS_DEAD").locator(".state > span").first())
          .hasCSS(
              "color",
              (String)
                  page.getByTestId("tile-dead").evaluate("tile => getComputedStyle(tile).color"));
      assertThat(page).hasTitle("(2) Overview – main – Callboard");
      assertThat(doctor(node)).isEqualTo(1);
      for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        for (int width : List.of(1280, 390)) {
          Page each = open(node, colours, width);
          assertThat(trouble(each, "TYPE_PAUSED")).isVisible();
          assertThat(each.getByTestId("members-card")).containsText("stage-1");
          Looks.well(
              each,
              "attention-%s-%d.png".formatted(colours.name().toLowerCase(Locale.ROOT), width));
          each.close();
        }
      }
      paused.locator("button").click();
      page.getByTestId("confirm-yes").click();
      assertThat(paused).hasCount(0);
      chromium.closePages();
    }
  }

  private static int doctor(LaunchedNode node) throws Exception {
    try (LaunchedNode command =
        LaunchedNode.launch(Map.of("CALLBOARD_URL", node.url()), "doctor")) {
      return command.exitCode(Duration.ofSeconds(60));
    }
  }
}
