package io.callboard.archive;

import io.callboard.feed.Feeds;
import io.callboard.part.NodePart;
import io.callboard.part.NodePreparation;
import io.callboard.part.PartSettings;
import io.callboard.part.RunningNode;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Archive as a part of a node: actors read from it, so it opens before they start. */
final class ArchivePart implements NodePart<CellArchive> {
  private final String url;
  private @Nullable CellArchive opened;

  ArchivePart(String url) {
    this.url = Objects.requireNonNull(url, "the URL of the archive is null: leave the part out");
  }

  @Override
  public String name() {
    return "archive";
  }

  @Override
  public Class<CellArchive> type() {
    return CellArchive.class;
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("url", PartSettings.masked(url));
  }

  @Override
  public void check() {
    String unused = ArchiveUrl.checked(url);
  }

  @Override
  public void prepare(NodePreparation node) {
    CellArchive archive = CellArchive.open(node.vertx(), node.options().time(), url);
    opened = archive;
    node.closeAfterActors("archive", archive::close);
    node.options().history(archive.events());
  }

  @Override
  public Future<CellArchive> start(RunningNode node) {
    CellArchive archive = Objects.requireNonNull(opened, "the node was prepared");
    return Feeds.host(node.callboard(), archive.sink()).map(archive);
  }
}
