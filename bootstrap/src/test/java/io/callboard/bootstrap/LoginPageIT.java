package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.callboard.dashboard.internal.auth.Passwords;
import io.callboard.dashboard.internal.auth.UsersFile;
import io.callboard.dashboard.internal.contract.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Login, roles and audit as the page shows them, in a real browser; skipped without a browser. */
@Tag("long")
@Tag("real")
class LoginPageIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String PASSWORD = "correct horse";
  private static final String LIMIT_LABEL = "button[data-verb=limit-label]";

  @RegisterExtension static final Chromium chromium = new Chromium(PATIENCE);

  /** A browser itself reports each answer 401; of a refused WebSocket it would say more. */
  @AfterEach
  void forgetRefusals() {
    chromium.closePages();
    chromium.forgive(401);
  }

  private static LaunchedNode node(String http) throws Exception {
    return node(LaunchedNode.directory("login"), http);
  }

  private static LaunchedNode node(Path home, String http) throws Exception {
    Path file = Files.writeString(home.resolve("users"), lines(Role.ofUsers()));
    Path conf = Files.writeString(home.resolve("conf.yaml"), http.formatted(file));
    return LaunchedNode.start(home.resolve("data"), "--conf", conf.toString());
  }

  private static String lines(List<Role> users) {
    return users.stream()
        .map(role -> UsersFile.line(role.word(), role, Passwords.hash(PASSWORD)))
        .collect(Collectors.joining("\n"));
  }

  private static Page open(LaunchedNode node, ColorScheme colours, int width, String path) {
    Page page = chromium.page(colours, width);
    page.navigate(node.url() + path);
    return page;
  }

  private static void login(Page page, String user, String password) {
    page.getByTestId("login-user").fill(user);
    page.getByTestId("login-password").fill(password);
    page.getByTestId("login-go").click();
  }

  private static Locator verb(Page page, String verb) {
    return page.getByTestId("types").locator("button[data-verb=%s]".formatted(verb)).first();
  }

  @Test
  void aUserSeesWhatTheRoleMayDoAndIsOutWhenTheSessionEnds() throws Exception {
    try (LaunchedNode node = node("http: {auth: {users: %s}}")) {
      Page page = open(node, ColorScheme.LIGHT, 1280, "/#/types");
      assertThat(page.getByTestId("login-go")).isVisible();
      assertThat(page.getByTestId("nav-jobs")).isHidden();
      login(page, "operator", "wrong horse");
      assertThat(page.getByTestId("login-problem")).hasText("the user or the password is wrong.");
      assertThat(page.getByTestId("login-password")).isFocused();

      login(page, "operator", PASSWORD);
      assertThat(page.getByTestId("user")).hasText("operator (operator)");
      assertThat(page.getByTestId("live")).hasAttribute("data-status", "live");
      assertThat(verb(page, "limit")).isHidden();
      assertThat(page.locator(LIMIT_LABEL)).isHidden();
      verb(page, "pause").click();
      page.getByTestId("ask-reason").fill("Platte über der Grenze");
      page.getByTestId("confirm-yes").click();
      assertThat(page.getByTestId("types-done")).containsText("is paused");
      assertThat(page.getByTestId("paused-by")).containsText("by operator ");
      assertThat(page.getByTestId("paused-by")).containsText(": Platte über der Grenze");

      page.navigate(node.url() + "/#/audit");
      Locator row = page.getByTestId("audit").locator("tbody tr").first();
      assertThat(row).containsText("pauseType");
      assertThat(row).containsText("operator");
      assertThat(row).containsText("Platte über der Grenze");
      Looks.well(page, "audit-light-1280.png");

      page.getByTestId("logout").click();
      assertThat(page.getByTestId("login-go")).isVisible();
      assertThat(page.getByTestId("user")).isHidden();
      page.close();
    }
  }

  @Test
  void aViewerIsOfferedNoActionAndIsOutWhenTakenOutOfTheFile() throws Exception {
    Path home = LaunchedNode.directory("login");
    try (LaunchedNode node = node(home, "http: {auth: {users: %s}}")) {
      Page page = open(node, ColorScheme.DARK, 390, "/#/types");
      login(page, "viewer", PASSWORD);
      assertThat(page.getByTestId("types").locator("tbody tr").first()).containsText("process");
      assertThat(verb(page, "pause")).isHidden();
      assertThat(verb(page, "limit")).isHidden();
      assertThat(page.locator(LIMIT_LABEL)).isHidden();
      assertThat(page.getByTestId("cell-audit")).hasCount(0);
      Looks.well(page, "types-viewer-dark-390.png");
      assertThat(page.getByTestId("login-go")).hasCount(0);
      Files.writeString(home.resolve("users"), lines(List.of(Role.ADMIN)));
      assertThat(page.getByTestId("login-go")).isVisible();
      page.close();
    }
  }

  @Test
  void theLoginLooksWellInEveryLightAndWidth() throws Exception {
    try (LaunchedNode node = node("http: {auth: {users: %s}}")) {
      for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        for (int width : List.of(1280, 390)) {
          Page page = open(node, colours, width, "/");
          assertThat(page.getByTestId("login-go")).isVisible();
          String scheme = colours.name().toLowerCase(Locale.ROOT);
          Looks.well(page, "login-%s-%d.png".formatted(scheme, width));
          page.close();
        }
      }
    }
  }

  @Test
  void aReadOnlyNodeSaysSoAndOffersNothing() throws Exception {
    try (LaunchedNode node = node("http: {readOnly: true} # %s")) {
      Page page = open(node, ColorScheme.LIGHT, 1280, "/#/types");
      assertThat(page.getByTestId("user")).hasText("read-only");
      assertThat(page.getByTestId("logout")).hasCount(0);
      assertThat(page.getByTestId("types").locator("tbody tr").first()).containsText("process");
      assertThat(verb(page, "pause")).isHidden();
      assertThat(page.locator(LIMIT_LABEL)).isHidden();
      page.navigate(node.url() + "/#/roles");
      assertThat(page.getByTestId("cell-audit")).isVisible();
      assertThat(page).hasTitle(Pattern.compile("Roles – .*"));
      page.close();
    }
  }
}
