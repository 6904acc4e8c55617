package io.callboard.feed;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;

/** Where feeds are, and how they are begun. */
public final class Feeds {
  /** The feed of all events of actors that are {@linkplain ActorOptions#archived archived}. */
  public static final String ARCHIVE = "archive";

  private static final ActorPath PREFIX = ActorPath.of("/callboard/feed");

  private Feeds() {}

  /**
   * The path of the feed of that tag.
   *
   * @throws IllegalArgumentException if no actor can have that name
   */
  public static ActorPath path(String tag) {
    try {
      return PREFIX.child(tag);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "\"%s\" is no tag: it is to be a name, of letters, digits and - _ . @ + =".formatted(tag),
          e);
    }
  }

  /** Whether a feed has that path. */
  public static boolean isFeed(ActorPath path) {
    return path.isWithin(PREFIX);
  }

  /** The feed of that tag, for whoever subscribes or asks. */
  public static ActorRef<Feed.Command> ref(Callboard callboard, String tag) {
    return callboard.durableRef(path(tag).toString(), Feed.Command.class);
  }

  /**
   * Runs the feeds of the cell, on this node among others that call this: each begins with the
   * first event of its tag. Until some node does so, what actors persist waits for their feeds, and
   * once their mailboxes are full, so do the actors.
   *
   * @param sink where events are written to, or {@link FeedSink#NONE}. Nodes of a cell that host
   *     feeds have the same: a feed that was written to one waits on a node with another
   * @return as {@link Callboard#host}
   */
  public static Future<Void> host(Callboard callboard, FeedSink sink) {
    ActorOptions options =
        new ActorOptions().attempts(Integer.MAX_VALUE).onBus(false).zone(ZoneDefaults.TOOLKIT);
    return callboard.host(PREFIX.toString(), () -> new Feed(sink), options);
  }
}
