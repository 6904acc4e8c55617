package io.callboard.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class PageTest {
  private static final int MOST_BYTES = 90 * 1024;

  private static Path webroot() throws URISyntaxException {
    return Path.of(Objects.requireNonNull(Page.class.getResource("webroot")).toURI());
  }

  private static List<Path> files() throws IOException, URISyntaxException {
    try (Stream<Path> all = Files.walk(webroot())) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void servesEveryFile() throws Exception {
    Path root = webroot();
    assertThat(files().stream().map(file -> root.relativize(file).toString().replace('\\', '/')))
        .containsExactlyInAnyOrderElementsOf(Page.FILES);
    assertThat(Page.read()).isNotNull();
  }

  @Test
  void isSmall() throws Exception {
    int all = 0;
    for (Path file : files()) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
        Files.copy(file, out);
      }
      all += packed.size();
    }
    assertThat(all).as("bytes of the page, each file packed").isLessThan(MOST_BYTES);
  }

  @Test
  void asksNobodyElseAndNeedsNoExceptionFromItsPolicy() throws Exception {
    for (Path file : files()) {
      String text = Files.readString(file).replace("http://www.w3.org/2000/svg", "");
      assertThat(text)
          .as(file.toString())
          .doesNotContain("http://", "https://", "//cdn", "eval(", "innerHTML");
      if (file.toString().endsWith(".html")) {
        assertThat(text).doesNotContain("style=", "onclick=", "<style");
      }
    }
  }
}
