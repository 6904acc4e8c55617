package io.callboard.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site of the documentation is whole, by the HTML that was written. */
class SiteTest {
  private static final Path ROOT = Path.of(System.getProperty("user.dir")).getParent();
  private static final Pattern LINK = Pattern.compile("<a [^>]*href=\"([^\"]*)\"");
  private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");
  private static final Pattern LOADED =
      Pattern.compile("<(?!a )\\w+[^>]*\\b(?:src|srcset|href|data|action)=\"([^\"]*)\"");
  private static final Pattern CODE =
      Pattern.compile("<pre><code[^>]*>(.*?)</code></pre>", Pattern.DOTALL);
  private static final String URL = "(https?|mailto):.*";

  @TempDir private static Path site;

  /** HTML by path in the site. */
  private static final Map<String, String> PAGES = new TreeMap<>();

  @BeforeAll
  static void generate() throws IOException {
    new Site(ROOT).write(site);
    try (Stream<Path> files = Files.walk(site)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".html")).toList()) {
        PAGES.put(Addresses.unix(site.relativize(file)), Files.readString(file));
      }
    }
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(1)).toList();
  }

  /** What a link of a page leads to: a path in the site, with the anchor that it may have. */
  private static URI target(String page, String link) {
    return URI.create(page).resolve(link.startsWith("#") ? fileName(page) + link : link);
  }

  private static String fileName(String page) {
    return page.substring(page.lastIndexOf('/') + 1);
  }

  @Test
  void allPagesAreThere() throws IOException {
    assertThat(PAGES)
        .containsKeys("index.html", "README.html", "CHANGELOG.html", "CONTRIBUTING.html");
    try (Stream<Path> docs = Files.walk(ROOT.resolve(Addresses.DOCS))) {
      assertThat(docs.filter(file -> file.toString().endsWith(".md")))
          .hasSizeGreaterThan(25)
          .allMatch(
              file -> PAGES.containsKey(Addresses.path(Addresses.unix(ROOT.relativize(file)))));
    }
  }

  @Test
  void everyLinkLeadsToAFileAndAnAnchor() {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Map.Entry<String, String> page : PAGES.entrySet()) {
      for (String link : found(LINK, page.getValue())) {
        links++;
        URI target = target(page.getKey(), link);
        if (!link.matches(URL) && !leadsSomewhere(target)) {
          broken.add(page.getKey() + ": " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).as("links that were found").isGreaterThan(1000);
  }

  private static boolean leadsSomewhere(URI target) {
    String html = PAGES.get(target.getPath());
    return html == null
        ? target.getFragment() == null && Files.isRegularFile(site.resolve(target.getPath()))
        : target.getFragment() == null || found(ID, html).contains(target.getFragment());
  }

  @Test
  void noPageHasTheSameIdTwice() {
    assertThat(PAGES)
        .allSatisfy((page, html) -> assertThat(found(ID, html)).doesNotHaveDuplicates());
  }

  @Test
  void everyPageIsReachableFromTheTextOfTheIndex() {
    Set<String> reached = new TreeSet<>();
    Deque<String> next = new ArrayDeque<>(List.of("index.html"));
    while (!next.isEmpty()) {
      String page = next.pop();
      if (PAGES.containsKey(page) && reached.add(page)) {
        String text = PAGES.get(page).replaceFirst("(?s).*<main", "");
        for (String link : found(LINK, text)) {
          if (!link.matches(URL)) {
            next.add(target(page, link).getPath());
          }
        }
      }
    }
    assertThat(reached).isEqualTo(PAGES.keySet());
  }

  @Test
  void theNavigationHasTheKindsOfPagesAndAllOfTheDocumentation() throws IOException {
    Navigation navigation = new Site(ROOT).navigation();
    assertThat(navigation.groups())
        .extracting(Navigation.Group::title)
        .containsExactly("Tutorial", "Guides", "Reference", "Explanation", "Project");
    List<String> pages =
        navigation.groups().stream()
            .flatMap(group -> group.pages().stream())
            .map(Addresses::path)
            .toList();
    assertThat(pages).doesNotHaveDuplicates();
    assertThat(PAGES.keySet())
        .filteredOn(page -> !page.equals("index.html") && !page.startsWith("bootstrap/"))
        .allMatch(pages::contains);
  }

  @Test
  void nothingIsLoadedFromANetwork() throws IOException {
    assertThat(PAGES)
        .allSatisfy(
            (page, html) ->
                assertThat(found(LOADED, html))
                    .as("loaded by " + page)
                    .hasSize(3)
                    .allMatch(
                        each -> each.equals("data:,") || Files.isRegularFile(file(page, each))));
    assertThat(site.resolve("site.css")).content().doesNotContain("url(", "@import", "//");
    assertThat(site.resolve("site.js"))
        .content()
        .doesNotContain("http", "fetch(", "XMLHttpRequest", "import(");
  }

  private static Path file(String page, String address) {
    return site.resolve(target(page, address).getPath());
  }

  @Test
  void codeBlocksAreIntact() throws IOException {
    int blocks = 0;
    for (Map.Entry<String, String> page : PAGES.entrySet()) {
      Path source = source(page.getKey());
      List<String> written = fenced(Files.readAllLines(source));
      List<String> shown = found(CODE, page.getValue()).stream().map(SiteTest::unescaped).toList();
      assertThat(shown).as("code of " + page.getKey()).isEqualTo(written);
      blocks += written.size();
    }
    assertThat(blocks).as("blocks that were found").isGreaterThan(100);
  }

  private static Path source(String page) {
    String name = page.replaceFirst("html$", "md");
    Path ofDocs = ROOT.resolve(Addresses.DOCS).resolve(name);
    return Files.exists(ofDocs) ? ofDocs : ROOT.resolve(name);
  }

  /** Blocks of code, also those in lists, without the indentation of their fence. */
  private static List<String> fenced(List<String> lines) {
    List<String> blocks = new ArrayList<>();
    StringBuilder block = null;
    int indentation = 0;
    for (String line : lines) {
      if (!line.strip().startsWith("```")) {
        if (block != null) {
          block.append(line.substring(Math.min(indentation, line.length()))).append('\n');
        }
      } else if (block == null) {
        block = new StringBuilder();
        indentation = line.indexOf('`');
      } else {
        blocks.add(block.toString());
        block = null;
      }
    }
    return blocks;
  }

  private static String unescaped(String html) {
    return html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
  }

  @Test
  void theSearchIndexHasEverySectionAndItsWords() throws IOException {
    String script = Files.readString(site.resolve("search-index.js"));
    assertThat(script).startsWith("window.searchIndex = ").endsWith(";\n");
    JsonNode index =
        new ObjectMapper().readTree(script.substring(script.indexOf('['), script.lastIndexOf(';')));
    List<String> addresses = new ArrayList<>();
    for (JsonNode page : index) {
      for (JsonNode section : page.path(1)) {
        String anchor = section.path(0).asText();
        addresses.add(page.path(0).asText() + (anchor.isEmpty() ? "" : "#" + anchor));
      }
    }
    assertThat(addresses)
        .doesNotHaveDuplicates()
        .allMatch(each -> leadsSomewhere(URI.create(each)));
    assertThat(addresses).contains("index.html", "actors.html#backoff", "README.html#an-actor");
    for (MatchResult heading :
        Pattern.compile("<h[2-6] id=\"([^\"]*)\"")
            .matcher(PAGES.getOrDefault("grid.html", ""))
            .results()
            .toList()) {
      assertThat(addresses).contains("grid.html#" + heading.group(1));
    }
    assertThat(Files.size(site.resolve("search-index.js"))).isBetween(50_000L, 500_000L);
  }

  @Test
  void linksThatLeadNowhereFailTheGenerationAndAreAllNamed(@TempDir Path root) throws IOException {
    Path docs = Files.createDirectories(root.resolve(Addresses.DOCS));
    Files.writeString(docs.resolve("index.md"), "# A\n\n[b](b.md) [c](other.md#no-such) [d](#a)\n");
    Files.writeString(
        docs.resolve("other.md"), "# Other\n\n## Such\n\n[x](../..) [y](index.md#a)\n");
    assertThatThrownBy(() -> new Site(root))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "docs/index.md: b.md", "docs/index.md: other.md#no-such", "docs/other.md: ../..")
        .hasMessageNotContainingAny("index.md: #a", "other.md: index.md#a");
    Files.writeString(docs.resolve("other.md"), "No title\n");
    assertThatThrownBy(() -> new Site(root))
        .hasMessageContaining("docs/other.md: a page needs a title");
  }

  @Test
  void markupInAPageIsShownNotUsed() {
    Page page = new Page("# `List<T>` & co\n\n<script>alert(1)</script>\n\n## Same\n\n## Same\n");
    assertThat(page.title()).isEqualTo("List<T> & co");
    assertThat(page.html(link -> link)).doesNotContain("<script>").contains("&lt;script&gt;");
    assertThat(page.anchors()).containsExactlyInAnyOrder("listt--co", "same", "same-1");
  }
}
