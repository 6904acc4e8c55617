package io.callboard.pollers.internal.feed;

import com.rometools.rome.feed.rss.Item;
import com.rometools.rome.feed.synd.SyndContent;
import com.rometools.rome.feed.synd.SyndEntry;
import com.rometools.rome.feed.synd.SyndFeed;
import com.rometools.rome.io.FeedException;
import com.rometools.rome.io.SyndFeedInput;
import com.rometools.rome.io.XmlReader;
import io.callboard.codecs.internal.text.CutText;
import io.callboard.codecs.internal.text.Digest;
import io.callboard.pollers.source.SourceException;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Document of an RSS or Atom feed. */
final class FeedDocument {
  private static final int LONGEST_ID = 300;

  /** Type of feeds whose entries have an id as resources of RDF. */
  private static final String RDF = "rss_1.0";

  private FeedDocument() {}

  /**
   * Reads a document; takes long for a large one.
   *
   * @param contentType what the server says, or null
   * @param most number of entries after which the rest is ignored
   * @return its entries, the last first, as feeds have the newest at the head
   * @throws SourceException if it is no feed
   */
  static List<FeedItem> read(byte[] content, @Nullable String contentType, int most) {
    SyndFeed feed = parse(content, contentType);
    Head head =
        new Head(feed.getTitle() == null ? "" : feed.getTitle(), RDF.equals(feed.getFeedType()));
    List<FeedItem> entries = new ArrayList<>();
    List<SyndEntry> all = feed.getEntries();
    for (int i = Math.min(all.size(), most) - 1; i >= 0; i--) {
      entries.add(entry(all.get(i), head));
    }
    return entries;
  }

  /**
   * Fields of the feed that its entries need.
   *
   * @param isRdf whether it is RSS 1.0
   */
  private record Head(String title, boolean isRdf) {}

  private static SyndFeed parse(byte[] content, @Nullable String contentType) {
    SyndFeedInput input = new SyndFeedInput(false, Locale.ROOT);
    input.setPreserveWireFeed(true); // it alone tells an id from a link
    input.setAllowDoctypes(false); // no entities of its own, neither from elsewhere nor for a bomb
    try (XmlReader reader =
        new XmlReader(
            new ByteArrayInputStream(content), contentType, true, StandardCharsets.UTF_8.name())) {
      return input.build(reader);
    } catch (FeedException | IOException | IllegalArgumentException e) {
      throw new SourceException("it is no feed that can be read: " + e.getMessage(), e);
    }
  }

  private static FeedItem entry(SyndEntry entry, Head feed) {
    Date date =
        entry.getPublishedDate() == null ? entry.getUpdatedDate() : entry.getPublishedDate();
    Instant published = date == null ? null : date.toInstant();
    String id = id(entry, feed.isRdf(), published);
    JsonObject json = new JsonObject().put("id", id);
    put(json, "title", entry.getTitle());
    put(json, "link", entry.getLink());
    put(json, "published", published == null ? null : published.toString());
    put(json, "author", entry.getAuthor());
    put(json, "summary", text(entry.getDescription()));
    if (!entry.getContents().isEmpty()) {
      json.put(
          "content",
          entry.getContents().stream()
              .map(each -> String.valueOf(text(each)))
              .collect(Collectors.joining("\n")));
    }
    return new FeedItem(id, json.toBuffer(), Map.of("feed", feed.title()), published);
  }

  private static void put(JsonObject json, String key, @Nullable String text) {
    if (text != null && !text.isEmpty()) {
      json.put(key, text);
    }
  }

  private static @Nullable String text(@Nullable SyndContent content) {
    return content == null ? null : content.getValue();
  }

  private static String id(SyndEntry entry, boolean isRdf, @Nullable Instant published) {
    String id = ownId(entry, isRdf);
    String link = entry.getLink();
    if (id != null && !id.isBlank()) {
      return id.length() <= LONGEST_ID ? id : cut(id) + "…" + Digest.whole(id);
    } else if (link != null && !link.isBlank()) {
      return cut(link) + "#" + Digest.whole(link + "\n" + entry.getTitle() + "\n" + published);
    }
    return "hash:"
        + Digest.whole(entry.getTitle() + "\n" + published + "\n" + text(entry.getDescription()));
  }

  /** Returns the id that an entry has; of one without, several may have the same link. */
  private static @Nullable String ownId(SyndEntry entry, boolean isRdf) {
    if (entry.getWireEntry() instanceof Item item) {
      if (item.getGuid() != null) {
        return item.getGuid().getValue();
      } else if (!isRdf) {
        return null; // what the library calls its URI is the link
      }
    }
    return entry.getUri();
  }

  /** Leaves room for a hash of 64 digits. */
  private static String cut(String id) {
    return CutText.head(id, LONGEST_ID - 70);
  }
}
