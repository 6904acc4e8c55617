package io.callboard.zookeeper;

import io.callboard.feed.Feed;
import io.callboard.feed.Feeds;
import io.callboard.store.ActorRecord;
import io.callboard.store.StoreException;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.internal.client.BlockingReads;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.session.CellConnection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Members and feed positions of a cell, read without being a member of it.
 *
 * @param members the nodes that run, or ended within their session timeout
 * @param positions of those feeds that the cell has, by tag
 */
public record CellFeeds(List<String> members, Map<String, Long> positions) {
  /** Creates the result of a read; the collections are copied. */
  public CellFeeds {
    members = List.copyOf(members);
    positions = Map.copyOf(positions);
  }

  /**
   * Reads members and positions; blocks.
   *
   * @param tags which feeds
   * @throws StoreException with one clear line: no connection, no access, no cell there, a record
   *     that cannot be read
   */
  public static CellFeeds read(ZooKeeperOptions cell, Collection<String> tags) {
    return CellConnection.of(
        cell,
        blockingReads -> {
          Layout layout =
              new Layout(cell.root(), CellConnection.format(blockingReads, cell).partitions());
          List<String> members = blockingReads.children(layout.top("h"));
          return new CellFeeds(members, positions(blockingReads, layout, tags));
        });
  }

  private static Map<String, Long> positions(
      BlockingReads blockingReads, Layout layout, Collection<String> tags) {
    Map<String, String> feedOf = new TreeMap<>();
    tags.forEach(tag -> feedOf.put(layout.record(Feeds.path(tag)), tag));
    Map<String, Long> positions = new TreeMap<>();
    BlockingReads.on(BulkReads.large(blockingReads.handle(), new ArrayList<>(feedOf.keySet())))
        .forEach(
            (path, node) ->
                ActorRecord.decode("znode " + path, node.data())
                    .state(Feed.State.class)
                    .ifPresent(state -> positions.put(feedOf.get(path), state.position())));
    return positions;
  }
}
