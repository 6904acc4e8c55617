package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.util.List;

/**
 * What every view owes its readers: it is no wider than the window, and what can be pressed is
 * large enough.
 */
final class Looks {
  /** What stands for what is not read yet; in a view that failed it stays. */
  private static final String UNREAD = "main:not(:has(> .failed)) .skeleton >> visible=true";

  private static final String TOO_WIDE =
      "document.documentElement.scrollWidth - document.documentElement.clientWidth";

  private static final String TOO_SMALL =
      """
      [...document.querySelectorAll(
          'a[href], button, input, select, textarea, summary, [role=button], [role=slider]')]
        .filter(each => each.checkVisibility())
        .map(each => ({ each, box: each.getBoundingClientRect() }))
        .filter(({ box }) => box.width < 23.5 || box.height < 23.5)
        .map(({ each, box }) => `${each.outerHTML.slice(0, 120)} is `
          + `${Math.round(box.width)} x ${Math.round(box.height)} px`)
      """;

  private Looks() {}

  /** Asserts it of a page as soon as all of it is read, and takes a picture, if they are wanted. */
  static void well(Page page, String picture) {
    assertThat(page.locator(UNREAD)).hasCount(0);
    Pictures.take(page, picture);
    assertThat(page.evaluate(TOO_WIDE)).as("pixels that do not fit in %s", picture).isEqualTo(0);
    assertThat((List<?>) page.evaluate(TOO_SMALL))
        .as("what is smaller than 24 px in %s", picture)
        .isEmpty();
  }
}
