package io.callboard.bootstrap;

import com.microsoft.playwright.Page;
import java.nio.file.Path;

/**
 * Pictures of pages for people to look at, in {@code target/screenshots}. Nothing is asserted of
 * them, and each costs a second or so; therefore they are taken only if the variable {@code
 * CALLBOARD_PICTURES} is {@code true}.
 */
final class Pictures {
  private static final Path DIRECTORY = Path.of("target", "screenshots");

  private Pictures() {}

  /** Takes one of the whole page, if they are wanted. */
  static void take(Page page, String name) {
    if (Boolean.parseBoolean(System.getenv("CALLBOARD_PICTURES"))) {
      byte[] unused =
          page.screenshot(
              new Page.ScreenshotOptions().setPath(DIRECTORY.resolve(name)).setFullPage(true));
    }
  }
}
