package io.callboard.docs;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** One page of the documentation: a Markdown file, parsed. */
final class Page {
  private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

  /**
   * A heading with what is below it, up to the next heading.
   *
   * @param level 1 for the title of the page
   * @param anchor the fragment of links to it, as GitHub makes it of the heading
   * @param title its words
   * @param text the words below it
   * @param destinations where the links below it lead, as they are written
   */
  record Section(int level, String anchor, String title, String text, List<String> destinations) {}

  private final Node document;
  private final Map<Node, String> anchors = new IdentityHashMap<>();
  private final List<Section> sections = new ArrayList<>();

  /** Parses a page; one without a heading is refused. */
  Page(String markdown) {
    document = PARSER.parse(markdown);
    IdGenerator generator = IdGenerator.builder().build();
    List<Node> below = new ArrayList<>();
    Heading heading = null;
    for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading next) {
        if (heading != null) {
          add(heading, below);
        }
        heading = next;
        below.clear();
        anchors.put(next, generator.generateId(PlainText.of(next)));
      } else {
        below.add(node);
      }
    }
    if (heading == null) {
      throw new IllegalArgumentException("a page needs a title: begin it with \"# \" and words");
    }
    add(heading, below);
  }

  private void add(Heading heading, List<Node> below) {
    List<String> destinations = new ArrayList<>();
    below.forEach(node -> node.accept(new Destinations(destinations)));
    sections.add(
        new Section(
            heading.getLevel(),
            anchors.getOrDefault(heading, ""),
            PlainText.of(heading),
            below.stream().map(PlainText::of).collect(Collectors.joining(" ")),
            List.copyOf(destinations)));
  }

  /** The words of the first heading. */
  String title() {
    return sections.get(0).title();
  }

  /** The headings in their order, the title first. */
  List<Section> sections() {
    return List.copyOf(sections);
  }

  /** The fragments that links to this page may have. */
  Set<String> anchors() {
    return Set.copyOf(anchors.values());
  }

  /** Where all links of the page lead, as they are written. */
  List<String> destinations() {
    List<String> all = new ArrayList<>();
    document.accept(new Destinations(all));
    return all;
  }

  /**
   * Renders the page as the HTML of its body; HTML in the Markdown is shown, not used.
   *
   * @param links what the site has for each destination of a link
   */
  String html(UnaryOperator<String> links) {
    return HtmlRenderer.builder()
        .extensions(EXTENSIONS)
        .escapeHtml(true)
        .attributeProviderFactory(
            context ->
                (node, tag, attributes) -> {
                  String anchor = anchors.get(node);
                  if (anchor != null) {
                    attributes.put("id", anchor);
                  } else if (node instanceof Link link) {
                    attributes.put("href", links.apply(link.getDestination()));
                  }
                })
        .build()
        .render(document);
  }

  /** Collects where links lead. */
  private static final class Destinations extends AbstractVisitor {
    private final List<String> found;

    Destinations(List<String> found) {
      this.found = found;
    }

    @Override
    public void visit(Link link) {
      found.add(link.getDestination());
      visitChildren(link);
    }
  }
}
