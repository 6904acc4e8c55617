package io.callboard.docs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The documentation as a folder of static pages, with navigation and search, that needs no server
 * and no network.
 *
 * <p>Its pages are those of {@code bootstrap/docs}, those in the root of the repository, and what
 * these link to. The pages of {@code bootstrap/docs} are at the top, the others have the paths of
 * the repository.
 */
public final class Site {
  private static final String INDEX = Addresses.DOCS + "index.md";
  private static final String CHANGES = "CHANGELOG.md";
  private static final String DECISIONS = Addresses.DOCS + "decisions.md";
  private static final String DESIGN = Addresses.DOCS + "design/";
  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");
  private static final List<String> ASSETS = List.of("site.css", "site.js");

  private final Path root;

  /** By path of the source in the repository. */
  private final Map<String, Page> pages = new TreeMap<>();

  /** Files that pages link to and that are no pages, by their paths in the repository. */
  private final Map<String, Path> files = new TreeMap<>();

  private final List<String> broken = new ArrayList<>();

  /**
   * Reads all pages.
   *
   * @param root the repository
   * @throws IllegalArgumentException if links lead nowhere; the message has all of them
   */
  Site(Path root) throws IOException {
    this.root = root;
    Deque<String> unread = new ArrayDeque<>(sources());
    while (!unread.isEmpty()) {
      String source = unread.pop();
      if (!pages.containsKey(source)) {
        pages.put(source, read(source));
        unread.addAll(linked(source));
      }
    }
    pages.keySet().forEach(this::check);
    if (!broken.isEmpty()) {
      throw new IllegalArgumentException(
          "links that lead nowhere (write the path of a file, relative to the page, and the anchor"
              + " of a heading in it):\n  "
              + String.join("\n  ", broken));
    }
  }

  /**
   * Writes the site.
   *
   * @param arguments the repository, and the folder to write into
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      throw new IllegalArgumentException("give the repository and the folder to write into");
    }
    Path folder = Path.of(arguments[1]).toAbsolutePath().normalize();
    new Site(Path.of(arguments[0]).toAbsolutePath().normalize()).write(folder);
    System.out.println(folder.resolve("index.html"));
  }

  private List<String> sources() throws IOException {
    try (Stream<Path> top = Files.list(root);
        Stream<Path> docs = Files.walk(root.resolve(Addresses.DOCS))) {
      return Stream.concat(top, docs)
          .map(file -> Addresses.unix(root.relativize(file)))
          .filter(file -> file.endsWith(".md"))
          .toList();
    }
  }

  private Page read(String source) throws IOException {
    try {
      return new Page(Files.readString(root.resolve(source)));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(source + ": " + e.getMessage(), e);
    }
  }

  /** The other pages that a page links to. */
  private List<String> linked(String source) {
    List<String> found = new ArrayList<>();
    for (String destination : page(source).destinations()) {
      String file = Addresses.file(source, destination);
      if (!Addresses.isElsewhere(destination) && Files.isRegularFile(root.resolve(file))) {
        if (file.endsWith(".md")) {
          found.add(file);
        } else {
          files.put(file, root.resolve(file));
        }
      }
    }
    return found;
  }

  private void check(String source) {
    for (String destination : page(source).destinations()) {
      if (!Addresses.isElsewhere(destination) && !exists(source, destination)) {
        broken.add(source + ": " + destination);
      }
    }
  }

  private boolean exists(String source, String destination) {
    String file = Addresses.file(source, destination);
    String anchor = Addresses.anchor(destination);
    return pages.containsKey(file)
        ? anchor.isEmpty() || page(file).anchors().contains(anchor)
        : files.containsKey(file) && anchor.isEmpty();
  }

  private Page page(String source) {
    Page page = pages.get(source);
    if (page == null) {
      throw new IllegalArgumentException(source + " is no page of the documentation");
    }
    return page;
  }

  /** The order of the pages, by their paths in the repository. */
  Navigation navigation() {
    return Navigation.of(
        page(INDEX),
        destination -> {
          String file = Addresses.file(INDEX, destination);
          return pages.containsKey(file) ? file : "";
        });
  }

  /** Writes all files of the site; what is in the folder under other names stays. */
  void write(Path folder) throws IOException {
    Navigation navigation = navigation();
    String template = asset("page.html");
    for (Map.Entry<String, Page> each : pages.entrySet()) {
      String source = each.getKey();
      Map<String, String> values =
          Map.of(
              "title", Html.escaped(each.getValue().title()),
              "root", Addresses.up(Addresses.path(source)),
              "navigation", navigation(navigation, source),
              "content", each.getValue().html(to -> Addresses.target(source, to)));
      String html =
          PLACE
              .matcher(template)
              .replaceAll(
                  place ->
                      Matcher.quoteReplacement(values.getOrDefault(place.group(1), place.group())));
      write(folder.resolve(Addresses.path(source)), html);
    }
    for (Map.Entry<String, Path> file : files.entrySet()) {
      write(folder.resolve(Addresses.path(file.getKey())), Files.readString(file.getValue()));
    }
    for (String name : ASSETS) {
      write(folder.resolve(name), asset(name));
    }
    write(folder.resolve("search-index.js"), "window.searchIndex = " + searchIndex() + ";\n");
  }

  private String navigation(Navigation navigation, String current) {
    StringBuilder html = new StringBuilder();
    for (Navigation.Group group : navigation.groups()) {
      html.append("<h2>").append(Html.escaped(group.title())).append("</h2>\n<ul>\n");
      for (String source : group.pages()) {
        String link = Addresses.up(Addresses.path(current)) + Addresses.path(source);
        boolean here = source.equals(current);
        html.append("<li>").append(Html.link(link, page(source).title(), here));
        html.append(here ? contents(page(source)) : "").append("</li>\n");
      }
      html.append("</ul>\n");
    }
    return html.toString();
  }

  private static String contents(Page page) {
    StringBuilder html = new StringBuilder();
    for (Page.Section section : page.sections()) {
      if (section.level() == 2) {
        html.append("<li>")
            .append(Html.link("#" + section.anchor(), section.title(), false))
            .append("</li>\n");
      }
    }
    return html.isEmpty() ? "" : "\n<ul>\n" + html + "</ul>\n";
  }

  /**
   * Returns one entry a page: its path and its sections, each with anchor, title and words; the
   * first has its title, and no anchor. The words of the changes, the decisions and the design
   * papers are left out: they name everything once more, and would come before the page that
   * explains it.
   */
  private String searchIndex() throws JsonProcessingException {
    List<List<Object>> entries = new ArrayList<>();
    pages.forEach(
        (source, page) ->
            entries.add(
                List.of(
                    Addresses.path(source),
                    page.sections().stream()
                        .map(
                            section ->
                                List.of(
                                    section.level() == 1 ? "" : section.anchor(),
                                    section.title(),
                                    hasOnlyTitles(source) ? "" : section.text()))
                        .toList())));
    return new ObjectMapper().writeValueAsString(entries).replace("],[", "],\n[");
  }

  private static boolean hasOnlyTitles(String source) {
    return source.equals(CHANGES) || source.equals(DECISIONS) || source.startsWith(DESIGN);
  }

  private static String asset(String name) throws IOException {
    try (InputStream in = Site.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("there is no resource " + name + " beside " + Site.class);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
