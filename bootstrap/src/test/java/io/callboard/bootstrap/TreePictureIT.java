package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The supervision tree as a picture, in a real browser; skipped without one. */
@Tag("long")
@Tag("real")
class TreePictureIT {
  @RegisterExtension static final Chromium chromium = new Chromium();

  private Shop shop;
  private Page page;

  @BeforeEach
  void start() throws Exception {
    shop = new Shop(LaunchedNode.directory("picture"));
    page = chromium.page();
  }

  @AfterEach
  void close() throws Exception {
    page.context().close();
    shop.close();
  }

  private static Locator box(Page page, String key) {
    return page.locator("svg [data-key='%s']".formatted(key));
  }

  private static Locator flip(Page page, String zone) {
    return box(page, "zone:" + zone).locator("> .flip");
  }

  /** The first box among those that are in a zone. */
  private static Locator firstIn(Page page, String zone) {
    return box(page, "zone:" + zone).locator("> g:last-child > g").first();
  }

  private static void isState(Locator box, String state, String word) {
    Locator link = box.locator("> a");
    assertThat(link).hasAttribute("data-state", state);
    assertThat(link).containsText(word);
  }

  private void openPicture() {
    page.navigate(shop.url() + "/#/actors?as=picture");
    isState(box(page, "/shop/till"), "RUNNING", "Running");
  }

  @Test
  void zonesAreBoxesWithTheirActorsOfWhichThoseInTroubleComeFirst() throws Exception {
    page.navigate(shop.url() + "/#/actors");
    page.getByTestId("as-picture").click();
    assertThat(page).hasURL(shop.url() + "/#/actors?as=picture");
    assertThat(page.getByTestId("as-picture")).hasAttribute("aria-current", "true");
    assertThat(page.getByTestId("tree")).hasCount(0);
    Locator zone = box(page, "zone:/shop");
    assertThat(zone).hasAttribute("role", "group");
    assertThat(zone.locator("[data-key='/shop/till']")).containsText("till");
    assertThat(flip(page, "/shop/delivery")).hasAttribute("aria-expanded", "false");
    assertThat(box(page, "/shop/delivery/van")).hasCount(0);
    assertThat(page.getByTestId("picture-note")).isHidden();

    flip(page, "/shop/store").click();
    Locator group = box(page, "group:/shop/store:RUNNING");
    assertThat(group).containsText("400 running");
    assertThat(page.getByTestId("picture-note")).containsText("400 are not drawn one by one");
    shop.callboard.admin().suspend("/shop/store/box-399").await();
    isState(box(page, "/shop/store/box-399"), "STOPPED", "Stopped");
    assertThat(firstIn(page, "/shop/store")).hasAttribute("data-key", "/shop/store/box-399");
    assertThat(group).containsText("399 running");
    assertThat(box(page, "zone:/shop/store").locator("> a")).containsText("1 stopped");
    assertThat(firstIn(page, "/shop")).hasAttribute("data-key", "zone:/shop/store");

    group.locator("a").click();
    assertThat(page).hasURL(shop.url() + "/#/actors?prefix=%2Fshop%2Fstore&state=RUNNING");
    assertThat(page.getByTestId("actors").locator("tbody tr")).hasCount(200);
    page.goBack();
    box(page, "/shop/store/box-399").locator("a").click();
    assertThat(page).hasURL(shop.url() + "/#/actors/shop/store/box-399");
    assertThat(page.getByTestId("actor-state")).containsText("Stopped");
  }

  @Test
  void thePictureIsWalkedWithKeysAndAnUpdateLeavesTheFocus() throws Exception {
    openPicture();
    flip(page, "/shop/delivery").focus();
    page.keyboard().press("Enter");
    assertThat(flip(page, "/shop/delivery")).hasAttribute("aria-expanded", "true");
    assertThat(flip(page, "/shop/delivery")).isFocused();
    page.keyboard().press("Tab");
    page.keyboard().press("Tab");
    Locator van = box(page, "/shop/delivery/van");
    assertThat(van.locator("a")).isFocused();
    shop.sell("/shop/delivery/van", "parcels");
    isState(van, "WAITS", "Waits to restart");
    assertThat(van.locator("a")).isFocused();
    assertThat(firstIn(page, "/shop")).hasAttribute("data-key", "zone:/shop/delivery");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(shop.url() + "/#/actors/shop/delivery/van");
  }

  @Test
  void anActorWithTheFocusKeepsItsBoxWhenItIsWellAgain() throws Exception {
    openPicture();
    flip(page, "/shop/store").click();
    Locator stopped = box(page, "/shop/store/box-007");
    shop.callboard.admin().suspend("/shop/store/box-007").await();
    isState(stopped, "STOPPED", "Stopped");
    stopped.locator("a").focus();
    shop.callboard.admin().resume("/shop/store/box-007").await();
    isState(stopped, "RUNNING", "Running");
    assertThat(stopped.locator("a")).isFocused();
    assertThat(box(page, "group:/shop/store:RUNNING")).containsText("399 running");
  }

  @Test
  void theToolkitsOwnActorsAreFolded() {
    openPicture();
    Locator system = box(page, "system:/");
    assertThat(system).containsText("the toolkit itself");
    assertThat(system.locator("> .flip")).hasAttribute("aria-expanded", "false");
    system.locator("> .flip").click();
    assertThat(system.locator("> g:last-child > g").first()).isVisible();
  }

  @Test
  void theContentsOfAZoneAreAPictureOnItsOwnPage() {
    page.navigate(shop.url() + "/#/actors/shop");
    assertThat(page.getByTestId("tree").locator("tr[data-key='/shop/till']")).isVisible();
    assertThat(page.getByTestId("as-table")).hasAttribute("aria-current", "true");
    page.getByTestId("as-picture").click();
    assertThat(page).hasURL(shop.url() + "/#/actors/shop?as=picture");
    assertThat(page.getByTestId("tree")).hasCount(0);
    isState(box(page, "/shop/till"), "RUNNING", "Running");
    assertThat(box(page, "zone:/shop")).hasCount(0);
    assertThat(box(page, "zone:/shop/store")).containsText("400 actors");
    assertThat(page.getByTestId("history")).isVisible();

    page.navigate(shop.url() + "/#/actors/shop/store?as=picture");
    Locator group = box(page, "group:/shop/store:RUNNING");
    assertThat(group).containsText("100 running");
    group.locator("a").click();
    assertThat(page).hasURL(shop.url() + "/#/actors?prefix=%2Fshop%2Fstore&state=RUNNING");
    page.goBack();
    page.getByTestId("as-table").click();
    assertThat(page).hasURL(shop.url() + "/#/actors/shop/store");
    assertThat(page.getByTestId("tree")).isVisible();
    page.navigate(shop.url() + "/#/actors/shop/till?as=picture");
    assertThat(page.getByTestId("actor-state")).containsText("Running");
    assertThat(page.getByTestId("as-table")).isHidden();
  }

  @Test
  void looksWellInEveryLightAndWidth() throws Exception {
    shop.sell("/shop/delivery/van", "parcels");
    shop.callboard.admin().suspend("/shop/store/box-007").await();
    for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      for (int width : List.of(1280, 390)) {
        Page each = chromium.page(colours, width);
        each.navigate(shop.url() + "/#/actors?as=picture");
        flip(each, "/shop/delivery").click();
        flip(each, "/shop/store").click();
        isState(box(each, "/shop/delivery/van"), "WAITS", "Waits to restart");
        isState(box(each, "/shop/store/box-007"), "STOPPED", "Stopped");
        String scheme = colours.name().toLowerCase(Locale.ROOT);
        Looks.well(each, "supervision-picture-%s-%d.png".formatted(scheme, width));
        each.navigate(shop.url() + "/#/actors/shop?as=picture");
        isState(box(each, "/shop/delivery/van"), "WAITS", "Waits to restart");
        Looks.well(each, "zone-picture-%s-%d.png".formatted(scheme, width));
        each.context().close();
      }
    }
  }
}
