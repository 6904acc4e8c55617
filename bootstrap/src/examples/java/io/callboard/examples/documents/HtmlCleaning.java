package io.callboard.examples.documents;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** Step {@code clean}: the text of an HTML page without tags, scripts and navigation. */
public final class HtmlCleaning {
  private static final String NOISE = "script, style, noscript, template, nav, header, footer";

  private static final String BLOCKS = "h1, h2, h3, h4, h5, h6, p, li, tr, pre, blockquote, div";

  /** Paragraph separator of Unicode, which is in no text that people write. */
  private static final String END_OF_BLOCK = "\u2029";

  private HtmlCleaning() {}

  /**
   * Page without its markup.
   *
   * @param title its title; empty if it has none
   * @param text its text, a line for each block
   * @param links relative links of it, each once, in their order
   */
  public record Page(String title, String text, List<String> links) {
    /** Copies the links. */
    public Page {
      links = List.copyOf(links);
    }
  }

  /** Cleans a page; any text is one, however broken. */
  public static Page clean(String html) {
    Document page = Jsoup.parse(html);
    List<String> links =
        page.select("a[href]").stream()
            .map(link -> link.attr("href"))
            .filter(HtmlCleaning::isRelative)
            .map(link -> link.replaceFirst("#.*", ""))
            .distinct()
            .toList();
    page.select(NOISE).remove();
    page.select(BLOCKS).forEach(block -> block.appendText(END_OF_BLOCK));
    String text =
        Arrays.stream(page.body().text().split(END_OF_BLOCK))
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .collect(Collectors.joining("\n"));
    return new Page(page.title(), text, links);
  }

  private static boolean isRelative(String link) {
    try {
      URI uri = URI.create(link);
      return !uri.isAbsolute() && uri.getAuthority() == null && !uri.getPath().isEmpty();
    } catch (IllegalArgumentException e) {
      return false; // no link that anything could follow
    }
  }
}
