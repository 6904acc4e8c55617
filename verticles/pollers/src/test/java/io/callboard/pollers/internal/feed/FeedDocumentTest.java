package io.callboard.pollers.internal.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.SourceException;
import io.vertx.core.json.JsonObject;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what is read from documents of feeds. */
class FeedDocumentTest {
  private static List<FeedItem> read(String document) {
    return FeedDocument.read(document.getBytes(StandardCharsets.UTF_8), "text/xml", 100);
  }

  private static String rss(String items) {
    return """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
            xmlns:dc="http://purl.org/dc/elements/1.1/">
          <channel><title>News</title><link>http://localhost/</link><description>d</description>
          %s
          </channel>
        </rss>
        """
        .formatted(items);
  }

  @Test
  void readsRss() {
    List<FeedItem> entries =
        read(
            rss(
                """
                <item><guid isPermaLink="false">two</guid><title>Second</title></item>
                <item>
                  <guid isPermaLink="false">one</guid>
                  <title>First &amp; best</title>
                  <link>http://localhost/one</link>
                  <pubDate>Thu, 26 Nov 2020 16:00:00 GMT</pubDate>
                  <dc:creator>Ann</dc:creator>
                  <description>short</description>
                  <content:encoded><![CDATA[<p>long</p>]]></content:encoded>
                </item>
                """));
    assertThat(entries).extracting(FeedItem::id).containsExactly("one", "two");
    FeedItem first = entries.get(0);
    assertThat(first.published()).isEqualTo(Instant.parse("2020-11-26T16:00:00Z"));
    assertThat(first.headers()).containsEntry("feed", "News");
    assertThat(new JsonObject(first.body()))
        .isEqualTo(
            new JsonObject()
                .put("id", "one")
                .put("title", "First & best")
                .put("link", "http://localhost/one")
                .put("published", "2020-11-26T16:00:00Z")
                .put("author", "Ann")
                .put("summary", "short")
                .put("content", "<p>long</p>"));
    assertThat(new JsonObject(entries.get(1).body()).fieldNames())
        .containsExactlyInAnyOrder("id", "title");
  }

  @Test
  void readsAtom() {
    List<FeedItem> entries =
        read(
            """
            <feed xmlns="http://www.w3.org/2005/Atom">
              <title>News</title><id>urn:feed</id><updated>2020-11-26T16:00:00Z</updated>
              <entry>
                <id>urn:one</id><title>First</title><link href="http://localhost/one"/>
                <updated>2020-11-26T16:00:00Z</updated><author><name>Ann</name></author>
                <summary>short</summary><content type="html">&lt;p&gt;long&lt;/p&gt;</content>
              </entry>
            </feed>
            """);
    assertThat(new JsonObject(entries.get(0).body()))
        .isEqualTo(
            new JsonObject()
                .put("id", "urn:one")
                .put("title", "First")
                .put("link", "http://localhost/one")
                .put("published", "2020-11-26T16:00:00Z")
                .put("author", "Ann")
                .put("summary", "short")
                .put("content", "<p>long</p>"));
  }

  @Test
  void entriesWithoutAnIdAndWithTheSameLinkAreSeveral() {
    String items =
        """
        <item><title>Monday</title><link>http://localhost/status</link></item>
        <item><title>Tuesday</title><link>http://localhost/status</link></item>
        <item><title>Day</title><link>http://localhost/status</link>
          <pubDate>Wed, 25 Nov 2020 16:00:00 GMT</pubDate></item>
        <item><title>Day</title><link>http://localhost/status</link>
          <pubDate>Thu, 26 Nov 2020 16:00:00 GMT</pubDate></item>
        """;
    assertThat(read(rss(items))).extracting(FeedItem::id).doesNotHaveDuplicates().hasSize(4);
    assertThat(read(rss(items))).extracting(FeedItem::id).isEqualTo(ids(items));
  }

  private static List<String> ids(String items) {
    return read(rss(items)).stream().map(FeedItem::id).toList();
  }

  @Test
  void aGuidThatIsALinkIsTheIdWhateverTheTitleIs() {
    String item = "<item><guid>http://localhost/1</guid><title>%s</title></item>";
    assertThat(ids(item.formatted("a")))
        .isEqualTo(ids(item.formatted("b")))
        .containsExactly("http://localhost/1");
  }

  @Test
  void anAboutOfRdfIsTheId() {
    String rdf =
        """
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
            xmlns="http://purl.org/rss/1.0/">
          <channel rdf:about="http://localhost/"><title>t</title><link>http://localhost/</link>
            <description>d</description></channel>
          <item rdf:about="urn:one"><title>%s</title><link>http://localhost/one</link></item>
        </rdf:RDF>
        """;
    assertThat(read(rdf.formatted("a"))).extracting(FeedItem::id).containsExactly("urn:one");
  }

  @Test
  void entriesWithoutAnIdHaveTheirLinkOrAHash() {
    List<FeedItem> entries =
        read(
            rss(
                """
                <item><title>No link</title><description>a</description></item>
                <item><title>No link</title><description>b</description></item>
                <item><title>Link</title><link>http://localhost/link</link></item>
                <item><guid>%s1</guid><title>Long</title></item>
                <item><guid>%s2</guid><title>Long</title></item>
                """
                    .formatted("x".repeat(400), "x".repeat(400))));
    assertThat(entries).extracting(FeedItem::id).doesNotHaveDuplicates().hasSize(5);
    assertThat(entries.get(2).id()).startsWith("http://localhost/link#");
    assertThat(entries.get(4).id()).startsWith("hash:");
    assertThat(entries).allSatisfy(each -> assertThat(each.id()).hasSizeLessThanOrEqualTo(300));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ISO-8859-1", "UTF-16", "UTF-8"})
  void readsTheEncodingThatTheDocumentNames(String encoding) {
    String document = rss("<item><guid>ä</guid></item>").replace("UTF-8", encoding);
    assertThat(FeedDocument.read(document.getBytes(Charset.forName(encoding)), null, 9))
        .extracting(FeedItem::id)
        .containsExactly("ä");
  }

  @Test
  void onlyTheFirstEntriesOfALongDocumentAreRead() {
    String document = rss("<item><guid>1</guid></item><item><guid>2</guid></item>");
    assertThat(FeedDocument.read(document.getBytes(StandardCharsets.UTF_8), null, 1))
        .extracting(FeedItem::id)
        .containsExactly("1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html><body>Not found</body></html>",
        "{\"items\":[]}",
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>a",
      })
  void aDocumentThatIsNoFeedIsAFailure(String document) {
    assertThatThrownBy(() -> read(document))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("it is no feed that can be read");
  }

  @Test
  void readsNoFilesThroughEntities(@TempDir Path directory) throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "secret");
    String document =
        "<!DOCTYPE rss [<!ENTITY x SYSTEM \"%s\">]>".formatted(secret.toUri())
            + rss("<item><guid>1</guid><title>&x;</title></item>")
                .replaceFirst("<\\?xml.*\\?>", "");
    assertThatThrownBy(() -> read(document))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("DOCTYPE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<guid>%s</guid>", "<link>%s</link>"})
  void aLongIdIsCutBetweenCharacters(String field) {
    for (String before : List.of("", "x")) {
      String id =
          read(rss("<item>" + field.formatted(before + "😀".repeat(200)) + "</item>")).get(0).id();
      assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(id)).as(id).isTrue();
    }
  }

  @Test
  void entitiesThatGrowExponentiallyAreNotExpanded() {
    StringBuilder bomb = new StringBuilder("<!DOCTYPE rss [<!ENTITY a0 \"aaaaaaaaaa\">");
    for (int i = 1; i < 10; i++) {
      bomb.append("<!ENTITY a%d \"%s\">".formatted(i, "&a%d;".formatted(i - 1).repeat(10)));
    }
    bomb.append("]>")
        .append(rss("<item><title>&a9;</title></item>").replaceFirst("<\\?xml.*\\?>", ""));
    assertThatThrownBy(() -> read(bomb.toString()))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("DOCTYPE");
  }
}
