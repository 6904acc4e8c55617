package io.callboard.examples.articles;

import io.callboard.examples.documents.DocumentReading;
import io.callboard.examples.documents.UnreadableDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.nodes.Document;

/** Articles of the example: HTML pages that are made of documents. Blocks. */
final class Articles {
  private static final String ENDING = ".html";

  private Articles() {}

  /**
   * Writes articles.
   *
   * @param documents what they are made of; if there are fewer, several articles are the same
   * @param count number of articles
   * @return their names, in their order
   * @throws IOException if they cannot be written, or no document can be read
   */
  static List<String> write(Path directory, List<Path> documents, int count) throws IOException {
    List<Path> sources = new ArrayList<>();
    List<String> pages = new ArrayList<>();
    for (Path document : documents) {
      try {
        pages.add(page(DocumentReading.read(document)));
        sources.add(document);
      } catch (UnreadableDocument e) {
        // no article can be made of it
      }
    }
    if (pages.isEmpty()) {
      throw new IOException("none of %d documents is a text".formatted(documents.size()));
    }
    Path unused = Files.createDirectories(directory);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int from = i % pages.size();
      String name = "%04d-%s".formatted(i + 1, stem(sources.get(from)));
      Files.writeString(directory.resolve(file(name)), pages.get(from));
      names.add(name);
    }
    return names;
  }

  /** Returns the name of the file of an article. */
  static String file(String article) {
    return article + ENDING;
  }

  /** Returns a name in letters that go into file names and addresses everywhere. */
  private static String stem(Path document) {
    String name = document.getFileName().toString();
    int end = name.lastIndexOf('.');
    String stem = end > 0 ? name.substring(0, end) : name;
    return stem.replaceAll("[^A-Za-z0-9-]", "-");
  }

  private static String page(DocumentReading.Content content) {
    if (content.kind() == DocumentReading.Kind.HTML) {
      return content.text();
    }
    Document page = Document.createShell("");
    String[] paragraphs = content.text().strip().split("\n\\s*\n");
    page.title(paragraphs[0].lines().findFirst().orElse(""));
    for (String paragraph : paragraphs) {
      var added = page.body().appendElement("p").text(paragraph);
    }
    return page.outerHtml();
  }
}
