package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.callboard.admin.ActorStatus;
import io.callboard.testkit.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The view of the supervision tree in a real browser; skipped without one. */
@Tag("long")
@Tag("real")
class SupervisionPageIT {
  @RegisterExtension static final Chromium chromium = new Chromium();

  private final List<String> said = new ArrayList<>();
  private Shop shop;
  private Page page;

  @BeforeEach
  void start() throws Exception {
    shop = new Shop(LaunchedNode.directory("shop"));
    page = page(ColorScheme.LIGHT, 1280);
  }

  @AfterEach
  void close() throws Exception {
    chromium.closePages();
    shop.close();
    assertThat(said).as("anything on the console").isEmpty();
  }

  private Page page(ColorScheme colours, int width) {
    Page opened = chromium.page(colours, width);
    opened.onConsoleMessage(message -> said.add(message.text()));
    return opened;
  }

  private static Locator row(Page page, String key) {
    return page.locator("tr[data-key='%s']".formatted(key));
  }

  private void toggle(String zone) {
    row(page, "zone:" + zone).locator("button").click();
  }

  private static void isState(Locator where, String state) {
    assertThat(where.locator("[data-state=%s]".formatted(state))).isVisible();
  }

  private void act(String verb) {
    page.getByTestId("action-" + verb).click();
    page.getByTestId("confirm-yes").click();
  }

  private ActorStatus.State state(String path) {
    return shop.callboard.admin().running().await().stream()
        .filter(actor -> actor.path().toString().equals(path))
        .map(ActorStatus::state)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theTreeShowsZonesWithTheirActorsAndOfManyThoseThatFailed() throws Exception {
    page.navigate(shop.url() + "/#/");
    page.getByTestId("nav-actors").click();
    assertThat(row(page, "zone:/shop").locator("button")).hasAttribute("aria-expanded", "true");
    assertThat(row(page, "zone:/shop")).containsText("rest for one · 402 actors");
    isState(row(page, "/shop/till"), "RUNNING");
    isState(row(page, "/watchman"), "RUNNING");
    assertThat(row(page, "/shop/delivery/van")).hasCount(0);
    toggle("/shop/delivery");
    assertThat(row(page, "/shop/delivery/van")).containsText("van");
    toggle("/shop");
    assertThat(row(page, "/shop/till")).hasCount(0);
    assertThat(row(page, "zone:/shop").locator("button")).isFocused();
    page.keyboard().press("Enter");
    assertThat(row(page, "/shop/delivery/van")).isVisible();

    toggle("/shop/store");
    assertThat(row(page, "more:/shop/store")).containsText("300 more that are running");
    assertThat(row(page, "/shop/store/box-399")).hasCount(0);
    shop.callboard.admin().suspend("/shop/store/box-399").await();
    isState(row(page, "/shop/store/box-399"), "STOPPED");
    assertThat(row(page, "zone:/shop/store")).containsText("1 stopped");

    page.getByTestId("filter-STOPPED").click();
    assertThat(page.getByTestId("actors").locator("tbody tr")).hasCount(1);
    page.getByTestId("search").fill("shop/delivery");
    page.keyboard().press("Enter");
    assertThat(page.getByText("No actor matches.")).isVisible();
    page.getByTestId("filter-all").click();
    assertThat(page.getByTestId("actors").locator("tbody tr")).hasCount(1);
    assertThat(page.getByTestId("actors")).containsText("/shop/delivery/van");
  }

  @Test
  void theTreeIsWalkedWithArrowKeys() {
    page.navigate(shop.url() + "/#/actors");
    Locator zone = row(page, "zone:/shop");
    assertThat(page.getByTestId("tree")).hasAttribute("role", "treegrid");
    assertThat(zone).hasAttribute("aria-expanded", "true");
    assertThat(row(page, "/shop/till")).hasAttribute("aria-level", "2");
    zone.focus();
    page.keyboard().press("ArrowLeft");
    assertThat(zone).hasAttribute("aria-expanded", "false");
    assertThat(row(page, "/shop/till")).hasCount(0);
    page.keyboard().press("ArrowRight");
    assertThat(row(page, "/shop/till")).isVisible();
    page.keyboard().press("ArrowRight");
    assertThat(zone.locator("xpath=following-sibling::tr[1]")).isFocused();
    page.keyboard().press("ArrowLeft");
    assertThat(zone).isFocused();
    row(page, "/shop/till").focus();
    page.keyboard().press("Enter");
    assertThat(page).hasURL(shop.url() + "/#/actors/shop/till");
  }

  @Test
  void anActorThatFailedTellsHowAndIsResumedStoppedAndRestarted() throws Exception {
    page.navigate(shop.url() + "/#/actors");
    isState(row(page, "/watchman"), "RUNNING");
    shop.sell("/watchman", "keys");
    isState(row(page, "/watchman"), "WAITS");
    assertThat(row(page, "/watchman")).containsText("there are no keys");
    assertThat(row(page, "/watchman")).containsText("in ");
    row(page, "/watchman").locator("a").click();
    assertThat(page).hasURL(shop.url() + "/#/actors/watchman");
    Locator state = page.getByTestId("actor-state");
    isState(state, "WAITS");
    assertThat(page.getByTestId("next-attempt")).containsText("next attempt in ");
    Locator history = page.getByTestId("history");
    assertThat(history).containsText("A handler failed: it is restarted after ");
    assertThat(history).containsText("java.lang.IllegalStateException: there are no keys");
    history.locator("summary").click();
    assertThat(history.locator("pre")).containsText("at io.callboard.bootstrap.Shop$Clerk");

    act("resume");
    isState(state, "RUNNING");
    assertThat(history.locator("pre")).isVisible();
    page.getByTestId("action-stop").click();
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Go back")).click();
    assertThat(state("/watchman")).isEqualTo(ActorStatus.State.RUNNING);
    act("stop");
    isState(state, "STOPPED");
    assertThat(state("/watchman")).isEqualTo(ActorStatus.State.STOPPED);
    assertThat(page.getByTestId("action-stop")).hasCount(0);
    act("resume");
    isState(state, "RUNNING");
    act("restart");
    assertThat(page.getByTestId("actor-facts")).containsText("Restarts3");
  }

  @Test
  void aRestingActorNamesTheOneThatIsToBeResumed() throws Exception {
    page.navigate(shop.url() + "/#/actors/shop/till");
    isState(page.getByTestId("actor-state"), "RUNNING");
    act("stop");
    isState(page.getByTestId("actor-state"), "STOPPED");

    page.navigate(shop.url() + "/#/actors/shop/delivery/van");
    isState(page.getByTestId("actor-state"), "RESTS");
    assertThat(page.getByTestId("next-attempt")).hasText("until /shop/till is resumed");
    assertThat(page.getByTestId("actor-facts")).containsText("Needs/shop/till");
    assertThat(page.getByTestId("action-resume")).hasCount(0);
    page.getByTestId("next-attempt").locator("a").click();
    assertThat(page).hasURL(shop.url() + "/#/actors/shop/till");
    act("resume");
    isState(page.getByTestId("actor-state"), "RUNNING");
    page.navigate(shop.url() + "/#/actors/shop/delivery/van");
    isState(page.getByTestId("actor-state"), "RUNNING");
  }

  @Test
  void aZoneIsStoppedAndResumedAsAWhole() throws Exception {
    page.navigate(shop.url() + "/#/actors/shop/delivery");
    Locator state = page.getByTestId("actor-state");
    isState(state, "RUNNING");
    isState(row(page, "/shop/delivery/van"), "RUNNING");
    act("stop");
    isState(state, "STOPPED");
    assertThat(state("/shop/delivery/van")).isNotEqualTo(ActorStatus.State.RUNNING);
    act("resume");
    isState(state, "RUNNING");
    Eventually.assertThat(
        () -> assertThat(state("/shop/delivery/van")).isEqualTo(ActorStatus.State.RUNNING));
    page.getByTestId("actor-facts").getByText("/shop").click();
    assertThat(page.locator("h1")).hasText("/shop");

    page.navigate(shop.url() + "/#/actors/nobody");
    assertThat(page.getByTestId("actor-problem")).containsText("No node that answers has an actor");
  }

  @Test
  void aZoneThatFailsUnderAnOpenPageIsNamedUntilItIsResumed() throws Exception {
    Locator trouble = page.getByTestId("troubles").locator("li[data-rule=FAILURE_ZONE_FAILED]");
    page.navigate(shop.url() + "/#/");
    assertThat(page.getByTestId("attention-state")).not().hasText("looking");
    assertThat(trouble).hasCount(0);
    shop.openKiosk();
    shop.sell("/kiosk/clerk", "maps");
    shop.sell("/kiosk/clerk", "maps");
    assertThat(trouble.locator(".subject")).containsText("/kiosk");
    assertThat(trouble).containsText("there are no maps");
    assertThat(trouble).containsText("1 actor rests with it");
    assertThat(page).hasTitle(Pattern.compile("^\\(\\d+\\) Overview"));
    page.navigate(shop.url() + "/#/actors");
    isState(row(page, "zone:/kiosk"), "FAILED");
    assertThat(row(page, "zone:/kiosk")).containsText("there are no maps");

    page.navigate(shop.url() + "/#/");
    trouble.locator("button").click();
    page.getByTestId("confirm-yes").click();
    assertThat(trouble).hasCount(0);
    Eventually.assertThat(
        () -> assertThat(state("/kiosk/clerk")).isEqualTo(ActorStatus.State.RUNNING));
    page.navigate(shop.url() + "/#/actors");
    isState(row(page, "zone:/kiosk"), "RUNNING");
  }

  @Test
  void looksWellInEveryLightAndWidth() throws Exception {
    shop.sell("/shop/delivery/van", "parcels");
    shop.callboard.admin().suspend("/shop/store/box-007").await();
    for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      for (int width : List.of(1280, 390)) {
        Page each = page(colours, width);
        look(each, "/actors", "tree", colours, width);
        look(each, "/actors/shop/delivery/van", "actor", colours, width);
        look(each, "/actors/shop", "zone", colours, width);
        look(each, "/actors?state=STOPPED", "stopped", colours, width);
        each.context().close();
      }
    }
  }

  private void look(Page each, String view, String name, ColorScheme colours, int width) {
    each.navigate(shop.url() + "/#" + view);
    if (name.equals("actor")) {
      isState(each.getByTestId("actor-state"), "WAITS");
      each.locator("summary").click();
    } else if (name.equals("stopped")) {
      isState(row(each, "/shop/store/box-007"), "STOPPED");
    } else {
      isState(row(each, "/shop/till"), "RUNNING");
    }
    if (name.equals("tree")) {
      row(each, "zone:/shop/delivery").locator("button").click();
      isState(row(each, "/shop/delivery/van"), "WAITS");
    }
    String file =
        "supervision-%s-%s-%d.png".formatted(name, colours.name().toLowerCase(Locale.ROOT), width);
    Looks.well(each, file);
  }
}
