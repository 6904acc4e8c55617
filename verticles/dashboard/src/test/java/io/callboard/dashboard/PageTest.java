package io.callboard.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class PageTest {
  private static final int MOST_AT_FIRST = 60 * 1024;
  private static final int MOST_BYTES = 130 * 1024;
  private static final Pattern STATIC =
      Pattern.compile("^(?:import|export)\\s[^;]*?from '\\./([^']+)';", Pattern.MULTILINE);
  private static final Pattern DYNAMIC = Pattern.compile("\\bimport\\('\\./([^']+)'\\)");
  private static final Pattern LOADED =
      Pattern.compile("(?:src|href)=\"([^\"#]+\\.(?:js|css|svg))\"");

  private static Path webroot() {
    return Path.of("../dashboard/src/main/resources/io/callboard/dashboard/webroot");
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(webroot())) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void everyFileOfThePageIsServed() throws Exception {
    Path root = webroot();
    assertThat(files().stream().map(file -> root.relativize(file).toString().replace('\\', '/')))
        .containsExactlyInAnyOrderElementsOf(Page.FILES);
    assertThat(Page.read()).isNotNull();
  }

  @Test
  void thePageIsSmall() throws Exception {
    assertThat(packed(Page.FILES)).as("bytes of the page, each file packed").isLessThan(MOST_BYTES);
  }

  @Test
  void theFilesUntilTheFirstViewAreSmallerStill() throws Exception {
    Set<String> first = firstLoad();
    assertThat(first).contains("index.html", "app.css", "js/main.js", "js/overview.js");
    assertThat(first).doesNotContain("js/jobs.js", "js/graph.js");
    assertThat(packed(first))
        .as("bytes until the overview is there, each file packed: %s", first)
        .isLessThan(MOST_AT_FIRST);
  }

  @Test
  void everyFileOfThePageIsLoaded() throws Exception {
    Set<String> reached = new TreeSet<>(firstLoad());
    reach(reached, List.of("js/main.js"), STATIC, DYNAMIC);
    assertThat(reached).containsExactlyInAnyOrderElementsOf(Page.FILES);
  }

  /** What a browser fetches before it shows the overview. */
  private static Set<String> firstLoad() throws Exception {
    Set<String> first = new TreeSet<>(Set.of("index.html"));
    Matcher named = LOADED.matcher(Files.readString(webroot().resolve("index.html")));
    while (named.find()) {
      first.add(named.group(1));
    }
    reach(first, List.of("js/main.js"), STATIC);
    return first;
  }

  private static void reach(Set<String> reached, List<String> from, Pattern... imports)
      throws Exception {
    Deque<String> open = new ArrayDeque<>(from);
    Set<String> seen = new TreeSet<>(from);
    while (!open.isEmpty()) {
      String file = open.pop();
      reached.add(file);
      String text = Files.readString(webroot().resolve(file));
      for (Pattern form : imports) {
        form.matcher(text)
            .results()
            .map(found -> "js/" + found.group(1))
            .filter(seen::add)
            .forEach(open::add);
      }
    }
  }

  private static int packed(Collection<String> names) throws Exception {
    int all = 0;
    for (String name : names) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
        Files.copy(webroot().resolve(name), out);
      }
      all += packed.size();
    }
    return all;
  }

  @Test
  void theStorageOfTheBrowserIsReadInOnePlace() throws Exception {
    for (Path file : files()) {
      String name = webroot().relativize(file).toString().replace('\\', '/');
      if (!Set.of("js/storage.js", "js/theme.js").contains(name)) {
        assertThat(Files.readString(file))
            .as("%s: where storage is blocked, asking for it throws; js/storage.js does not", name)
            .doesNotContain("localStorage", "sessionStorage");
      }
    }
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
