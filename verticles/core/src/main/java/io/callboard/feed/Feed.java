package io.callboard.feed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Named;
import io.callboard.journal.FeedEvent;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Durable actor of one tag's feed: numbers the tag's events in the order of their commits, writes
 * them to its {@link FeedSink}, and sends them to its subscribers, each exactly once. Hosted by
 * {@link Feeds#host}.
 */
public final class Feed extends DurableStateActor<Feed.Command, Feed.State> {
  /**
   * Limit of the subscribers of one feed, which sends an event to all of them with one commit. A
   * {@code Topic} of {@link FeedEvent} may be one of them, and send it to more.
   */
  public static final int MOST_SUBSCRIBERS = 16;

  /** Protocol of a feed. */
  @Named("feed-command")
  public sealed interface Command {}

  /** Events of one commit of an actor; only the toolkit sends it. */
  @Named("feed-committed")
  record Committed(String actor, long turn, Instant at, boolean ended, List<Item> events)
      implements Command {}

  /** One of them. */
  record Item(long number, String type, int version, JsonNode body) {}

  /**
   * Command that subscribes a durable actor, which is then sent every event of the feed as a {@link
   * FeedEvent}. The answer is the {@link Status}; the subscriber's first event is the one after its
   * position. Idempotent.
   */
  @Named("feed-subscribe")
  public record Subscribe(String path) implements Command {
    /**
     * Creates the actor of a feed.
     *
     * @throws IllegalArgumentException if {@code path} is not a valid path
     */
    public Subscribe {
      path = ActorPath.of(path).toString();
    }
  }

  /** Command that ends the subscription of that actor. The answer is the {@link Status}. */
  @Named("feed-unsubscribe")
  public record Unsubscribe(String path) implements Command {}

  /** Request for the {@link Status} of the feed. */
  @Named("feed-look")
  public record Look() implements Command {}

  /**
   * Status of a feed.
   *
   * @param position of its last event; 0 before the first
   */
  @Named("feed-status")
  public record Status(long position, int subscribers) {}

  /**
   * Durable state of a feed.
   *
   * @param position of its last event
   * @param subscribers their paths
   * @param sink the id of the one that it is written to, to its end; empty for none
   */
  @Named("feed-state")
  public record State(long position, List<String> subscribers, String sink) {
    /** Creates a state; the subscribers are copied. */
    public State {
      subscribers = List.copyOf(subscribers);
    }
  }

  private final FeedSink sink;

  /**
   * Position in the sink up to which events are written, as of the last commit that this object
   * knows of.
   */
  private String writtenTo = "";

  Feed(FeedSink sink) {
    this.sink = sink;
  }

  @Override
  protected State initial() {
    return new State(0, List.of(), "");
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.message(Committed.class, this::committed)
        .message(Subscribe.class, this::subscribe)
        .message(Unsubscribe.class, this::unsubscribe)
        .query(Look.class, look -> status());
  }

  @Override
  protected Future<?> started() {
    writtenTo = state().sink();
    return Future.succeededFuture();
  }

  private Status status() {
    return new Status(state().position(), state().subscribers().size());
  }

  private void committed(Committed commit) {
    long position = state().position();
    for (Item item : commit.events()) {
      pass(tagged(++position, commit, item));
    }
    if (commit.ended()) {
      JsonNode nothing = JsonNodeFactory.instance.objectNode();
      pass(tagged(++position, commit, new Item(0, FeedEvent.ENDED, 1, nothing)));
    }
    String here = state().sink().isEmpty() ? sink.id() : state().sink();
    update(new State(position, state().subscribers(), here == null ? "" : here));
  }

  private FeedEvent tagged(long position, Committed commit, Item item) {
    return new FeedEvent(
        path().name(),
        position,
        commit.actor(),
        commit.turn(),
        item.number(),
        commit.at(),
        item.type(),
        item.version(),
        item.body());
  }

  private void pass(FeedEvent event) {
    enlist(event);
    if (!state().subscribers().isEmpty()) {
      tellAll(
          state().subscribers().stream()
              .map(subscriber -> callboard().durableRef(subscriber, FeedEvent.class))
              .toList(),
          event);
    }
  }

  @Override
  protected Future<?> flush(List<Object> work) {
    List<FeedEvent> events = work.stream().map(FeedEvent.class::cast).toList();
    String here = sink.id();
    if (here == null) {
      return waits("the archive of this node cannot be reached");
    } else if (here.isEmpty() && path().name().equals(Feeds.ARCHIVE)) {
      return waits("this node has no archive");
    } else if (!writtenTo.isEmpty() && !writtenTo.equals(here)) {
      return waits(
          "it is written to archive %s, but this node has %s: configure the same archive on all nodes of the cell"
              .formatted(writtenTo, here.isEmpty() ? "none" : "archive " + here));
    }
    return sink.write(events, writtenTo.isEmpty())
        .map(
            written -> {
              writtenTo = here;
              return written;
            });
  }

  private Future<?> waits(String why) {
    return Future.failedFuture(StoreException.unavailable(path() + " waits: " + why, null));
  }

  private void subscribe(Subscribe wish) {
    List<String> subscribers = new ArrayList<>(state().subscribers());
    if (!subscribers.contains(wish.path())) {
      CallboardException against = against(wish.path(), subscribers.size());
      if (against != null) {
        refuse(wish, against);
        return;
      }
      subscribers.add(wish.path());
      update(new State(state().position(), subscribers, state().sink()));
    }
    reply(status());
  }

  private @Nullable CallboardException against(String subscriber, int others) {
    if (subscriber.equals(path().toString())) {
      return new CallboardException(
          Code.BAD_MESSAGE, "%s cannot subscribe to itself".formatted(path()));
    }
    return others < MOST_SUBSCRIBERS
        ? null
        : new CallboardException(
            Code.UNAVAILABLE,
            "%s has %d subscribers, which is the limit".formatted(path(), MOST_SUBSCRIBERS));
  }

  private void unsubscribe(Unsubscribe wish) {
    List<String> subscribers = new ArrayList<>(state().subscribers());
    if (subscribers.remove(wish.path())) {
      update(new State(state().position(), subscribers, state().sink()));
    }
    reply(status());
  }
}
