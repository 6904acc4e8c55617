package io.callboard.bootstrap;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What every view owes its readers: it is no wider than the window, what can be pressed is large
 * enough, and axe finds nothing, in each scheme and at each width. That takes half a second to a
 * second for most views, four for a list of 200 rows.
 *
 * <p>The page's own policy lets no script in. The ones here come through the debugger, to which it
 * does not apply; it is not loosened for them.
 */
final class Looks {
  private static final String AXE = "/axe.min.js";

  private static final String HAS_AXE = "typeof axe === 'object'";

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

  /**
   * Target sizes are a rule of WCAG 2.2 that axe leaves out unless it is asked for by name. Of a
   * log of thousands of lines the first hundred say all, and each costs it milliseconds. All
   * violations are wanted with all their places; of what passes axe need not describe each place.
   */
  private static final String FINDINGS =
      """
      () => axe.run({ exclude: ['.log .line:nth-child(n + 101)'] }, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        rules: { 'target-size': { enabled: true } },
        resultTypes: ['violations'],
      }).then(({ passes, violations }) => [
        ...(passes.length ? [] : ['axe has looked at nothing']),
        ...violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, html, failureSummary }) =>
          `${id} (${help}): ${target.join(' ')}, ${html.slice(0, 160)}. ${failureSummary}`)),
      ])
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
    if (Boolean.FALSE.equals(page.evaluate(HAS_AXE))) { // views of one page share it
      Object unused = page.evaluate(axe());
    }
    assertThat((List<?>) page.evaluate(FINDINGS)).as("what axe finds in %s", picture).isEmpty();
  }

  private static String axe() {
    try (InputStream in =
        requireNonNull(
            Looks.class.getResourceAsStream(AXE), AXE + " is not among the test resources")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
