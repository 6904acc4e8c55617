package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The view of sources in a real browser; skipped without one. */
@Tag("long")
@Tag("real")
class SourcesPageIT {
  @RegisterExtension static final Chromium chromium = new Chromium();

  private static LaunchedNode start(Path home, String sources) throws IOException {
    Path conf = Files.writeString(home.resolve("node.yaml"), sources);
    return LaunchedNode.start(home.resolve("data"), "--conf", conf.toString());
  }

  @Test
  void aSourceIsPausedDrainedAndResumed() throws Exception {
    Path home = LaunchedNode.directory("sources-page");
    String sources =
        """
        sources:
          files:
            kind: directory
            settings: {path: "%s"}
            start: {job: process, command: ["true"]}
          inbox: {kind: http, start: {workflow: greet}}
        """
            .formatted(Files.createDirectory(home.resolve("in")));
    try (LaunchedNode node = start(home, sources)) {
      Page page = chromium.page();
      page.navigate(node.url() + "/");
      page.getByTestId("nav-sources").click();
      Locator files = page.getByTestId("sources").locator("tr[data-key=files]");
      assertThat(files).containsText("Polling");
      assertThat(page.getByTestId("sources").locator("tr[data-key=inbox]"))
          .containsText("Accepting");
      files.locator("button[data-verb=pause]").click();
      assertThat(page.getByTestId("confirm")).containsText("It takes no more messages until");
      page.getByTestId("confirm-yes").click();
      assertThat(page.getByTestId("sources-done")).containsText("files: pause was accepted");
      assertThat(files).containsText("Paused it was paused by a client at 127.0.0.1");
      files.locator("button[data-verb=resume]").click();
      assertThat(page.getByTestId("confirm")).containsText("It takes messages again, up to ");
      page.getByTestId("confirm-yes").click();
      assertThat(files).containsText("Polling");
      files.locator("button[data-verb=drain]").click();
      assertThat(page.getByTestId("confirm")).containsText("0 messages were taken");
      page.getByTestId("confirm-yes").click();
      assertThat(files).containsText("Drained");
      for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        for (int width : List.of(1280, 390)) {
          Page view = chromium.page(colours, width);
          view.navigate(node.url() + "/#/sources");
          assertThat(view.getByTestId("sources").locator("tr[data-key=files]"))
              .containsText("Drained");
          Looks.well(
              view, "sources-%s-%d.png".formatted(colours.name().toLowerCase(Locale.ROOT), width));
          view.context().close();
        }
      }
      chromium.closePages();
    }
  }

  /** Asserts that a fact of the view of a source has this value. */
  private static void fact(Page page, String field, String value) {
    Locator line =
        page.getByTestId("source-facts")
            .locator("div", new Locator.LocatorOptions().setHas(page.getByText(field, exact())));
    assertThat(line.locator("dd")).hasText(Pattern.compile(value));
  }

  private static Page.GetByTextOptions exact() {
    return new Page.GetByTextOptions().setExact(true);
  }

  @Test
  void aSourceTellsWhyItDoesNotPollAndItsBrakeIsReleased() throws Exception {
    Path home = LaunchedNode.directory("source-page");
    Path in = Files.createDirectory(home.resolve("in"));
    String sources =
        """
        sources:
          greeter:
            kind: directory
            settings: {path: "%s", settle: PT0S}
            start: {workflow: greet, input: {name: "${/headers/name}", word: "${/body/word}"}}
        """
            .formatted(in);
    try (LaunchedNode node = start(home, sources)) {
      Page page = chromium.page();
      page.navigate(node.url() + "/");
      Locator trouble = page.getByTestId("troubles").locator("li[data-rule=SOURCE_STOPPED]");
      trouble.locator(".subject a").click();
      assertThat(page.getByTestId("source-name")).hasText("greeter");
      Locator state = page.getByTestId("source-state");
      assertThat(state).containsText("Braked");
      assertThat(state).containsText("there is no workflow greet: put its definition");
      assertThat(
              node.send(
                      "PUT",
                      "/api/v1/workflow-definitions/greet",
                      "{\"name\":\"greet\",\"steps\":{\"say\":{\"run\":\"process\",\"with\":{\"command\":[\"true\"]}}}}")
                  .statusCode())
          .isEqualTo(201);
      assertThat(state).containsText("Polling");
      page.getByTestId("brake-change").click();
      page.getByTestId("brake-reason").fill("the printer is broken");
      page.getByTestId("brake-set").click();
      assertThat(page.getByTestId("brake")).containsText("the printer is broken");
      put(home, in, "a", "{\"word\": \"hello\"}");
      assertThat(state).containsText("Braked");
      assertThat(state).containsText("the printer is broken");
      fact(page, "Becomes", "workflow greet");
      fact(page, "Polled by", ".+");
      fact(page, "Taken of credit", "1 / 100");
      put(home, in, "bad", "no JSON");
      for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        for (int width : List.of(1280, 390)) {
          Page view = chromium.page(colours, width);
          view.navigate(node.url() + "/#/sources/greeter");
          assertThat(view.getByTestId("source-state")).containsText("the printer is broken");
          assertThat(view.getByTestId("brake")).containsText("the printer is broken");
          Looks.well(
              view, "source-%s-%d.png".formatted(colours.name().toLowerCase(Locale.ROOT), width));
          view.context().close();
        }
      }
      page.getByTestId("brake-release").click();
      page.getByTestId("confirm-yes").click();
      assertThat(state).containsText("Polling");
      fact(page, "Done", "1, .*");
      fact(page, "Set aside", "1, .* in \\.callboard/dead");
      fact(page, "Last acknowledgement", ".* ago|now");
      page.locator("button[data-verb=pause]").click();
      page.getByTestId("confirm-yes").click();
      assertThat(state).containsText("Paused it was paused by a client at 127.0.0.1");
      fact(page, "Set by", "a client at 127.0.0.1.*");
      chromium.closePages();
    }
  }

  @Test
  void aSourceThatIsNotThereIsSaidToBeMissing() throws Exception {
    Path home = LaunchedNode.directory("no-source");
    try (LaunchedNode node = start(home, "sources: {inbox: {kind: http, start: {workflow: x}}}")) {
      Page page = chromium.page();
      page.navigate(node.url() + "/#/sources/inbx");
      assertThat(page.getByTestId("source-problem")).hasText("There is no source of this name.");
      page.navigate(node.url() + "/#/sources/inbox");
      assertThat(page.getByTestId("source-state")).containsText("Accepting");
      assertThat(page.getByTestId("source-problem")).isHidden();
      chromium.closePages();
    }
    chromium.forgive(404); // nor is there the workflow, of which the page asks for the brake
  }

  /** Puts a file into a directory, under its name at once. */
  private static void put(Path home, Path in, String name, String content) throws IOException {
    Path written = Files.writeString(home.resolve(name), content);
    var unused = Files.move(written, in.resolve(name));
  }
}
