package io.callboard.feed;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;

/** Paths, refs and hosting of the feeds of a cell. */
public final class Feeds {
  /** The feed of all events of actors that are {@linkplain ActorOptions#archived archived}. */
  public static final String ARCHIVE = "archive";

  private static final ActorPath PREFIX = ActorPath.of("/callboard/feed");

  private Feeds() {}

  /**
   * Returns the path of the feed of that tag.
   *
   * @throws IllegalArgumentException if the tag is not a valid name of an actor
   */
  public static ActorPath path(String tag) {
    try {
      return PREFIX.child(tag);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "\"%s\" is not a tag: use a name of letters, digits and - _ . @ + =, not beginning with a dot"
              .formatted(tag),
          e);
    }
  }

  /** Returns whether {@code path} is the path of a feed. */
  public static boolean isFeed(ActorPath path) {
    return path.isWithin(PREFIX);
  }

  /** Returns a ref to the feed of that tag, for subscriptions and status. */
  public static ActorRef<Feed.Command> ref(Callboard callboard, String tag) {
    return callboard.durableRef(path(tag).toString(), Feed.Command.class);
  }

  /**
   * Hosts the feeds of the cell on this node, among the others that call this; each feed begins
   * with the first event of its tag. Until a node does so, persisted events with tags wait for
   * their feeds, and once the feeds' mailboxes are full, so do the actors.
   *
   * @param sink the sink of the events, or {@link FeedSink#NONE}. All nodes of a cell that host
   *     feeds must have the same: a feed that was written to one sink waits on a node with another
   * @return as {@link Callboard#host}
   */
  public static Future<Void> host(Callboard callboard, FeedSink sink) {
    ActorOptions options =
        new ActorOptions().attempts(Integer.MAX_VALUE).onBus(false).zone(ZoneDefaults.TOOLKIT);
    return callboard.host(PREFIX.toString(), () -> new Feed(sink), options);
  }
}
