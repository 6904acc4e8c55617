package io.callboard.topic;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.codecs.Named;
import io.callboard.codecs.ProtocolCodec;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A durable actor that forwards each event to all of its subscribers. It is spawned or hosted like
 * any durable actor:
 *
 * <pre>{@code
 * callboard.spawn("/topics/orders", Topic.of(OrderEvent.class));
 * }</pre>
 *
 * <p>An actor subscribes with {@code tell(topic, Topic.subscribe(self(OrderEvent.class)))} to a
 * {@code durableRef("/topics/orders", Topic.Command.class)}, which is durable and may be repeated.
 * A durable actor then gets every event exactly once; a volatile one at most once, as long as it
 * runs. Publishing is an ordinary tell to {@code durableRef("/topics/orders", OrderEvent.class)},
 * also from inside a turn.
 *
 * <p>A topic cannot subscribe to itself. Cycles of topics that subscribe to each other are not
 * detected: an event circulates in one for ever.
 *
 * @param <E> the protocol of the events
 */
public final class Topic<E> extends DurableStateActor<Topic.Command, Topic.Subscribers> {
  /** Limit of the subscribers of one topic. */
  public static final int MOST_SUBSCRIBERS = 2_000;

  /** Bytes of one event as JSON, with 200 for what goes along, times the durable subscribers. */
  public static final int MOST_BYTES = 700 << 10;

  private static final int ALONG_BYTES = 200;

  private final Class<E> events;

  /** Subscribers that have ended; noted when it is told, so one message removes all of them. */
  private final Set<String> ended = new HashSet<>();

  /** Commands to a topic, besides its events. */
  @Named("topic-command")
  public sealed interface Command {}

  /**
   * Command to subscribe an actor; created by {@link Topic#subscribe}. The answer is a {@link
   * Subscribed}; an ask fails with {@code UNAVAILABLE} if there are {@link #MOST_SUBSCRIBERS}, with
   * {@code BAD_MESSAGE} if it is the topic itself.
   */
  @Named("topic-subscribe")
  public record Subscribe(String path, boolean durable) implements Command {
    /**
     * Creates a command to subscribe the actor at a path.
     *
     * @throws IllegalArgumentException if {@code path} is none
     */
    public Subscribe {
      path = checked(path);
    }
  }

  /**
   * Command to end the subscription of an actor; created by {@link Topic#unsubscribe}. The answer
   * is a {@link Subscribed}.
   */
  @Named("topic-unsubscribe")
  public record Unsubscribe(String path, boolean durable) implements Command {
    /**
     * Creates a command to end the subscription of the actor at a path.
     *
     * @throws IllegalArgumentException if {@code path} is none
     */
    public Unsubscribe {
      path = checked(path);
    }
  }

  private static String checked(@Nullable String path) {
    if (path == null) {
      throw new IllegalArgumentException("the path is null: give the path of the subscriber");
    }
    return ActorPath.of(path).toString();
  }

  /** Command to remove volatile subscribers that have ended; only the topic itself sends it. */
  @Named("topic-ended")
  record Ended() implements Command {}

  /** Command to publish an event; only the topic itself makes one. */
  @Named("topic-publish")
  record Publish(Object event) implements Command {}

  /**
   * The answer to {@link Subscribe} and {@link Unsubscribe}.
   *
   * @param subscribers how many there are now
   */
  @Named("topic-subscribed")
  public record Subscribed(int subscribers) {}

  /**
   * The answer to the ask of an event: it is on its way to the subscribers.
   *
   * @param subscribers how many get it
   */
  @Named("topic-published")
  public record Published(int subscribers) {}

  /** Durable state of a topic: the paths of its subscribers, in order. */
  @Named("topic-subscribers")
  public record Subscribers(List<String> durable, List<String> inMemory) {
    /** Creates subscribers; the lists are copied. */
    public Subscribers {
      durable = List.copyOf(durable);
      inMemory = List.copyOf(inMemory);
    }

    int count() {
      return durable.size() + inMemory.size();
    }

    private List<String> of(boolean isDurable) {
      return isDurable ? durable : inMemory;
    }

    private Subscribers with(boolean isDurable, List<String> changed) {
      return isDurable ? new Subscribers(changed, inMemory) : new Subscribers(durable, changed);
    }
  }

  private Topic(Class<E> events) {
    this.events = events;
  }

  /**
   * Returns a factory of topics for events of a protocol.
   *
   * @param events a sealed interface of records, or one record
   */
  public static <E> Supplier<Topic<E>> of(Class<E> events) {
    ProtocolCodec.check(events);
    return () -> new Topic<>(events);
  }

  /** Returns the command to subscribe {@code subscriber} to a topic. */
  public static Command subscribe(ActorRef<?> subscriber) {
    return new Subscribe(subscriber.path().toString(), subscriber.durable());
  }

  /** Returns the command to end the subscription of {@code subscriber}. */
  public static Command unsubscribe(ActorRef<?> subscriber) {
    return new Unsubscribe(subscriber.path().toString(), subscriber.durable());
  }

  @Override
  protected Subscribers initial() {
    return new Subscribers(List.of(), List.of());
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.adapt(events, Publish::new)
        .message(Publish.class, publish -> publish(publish.event()))
        .message(Subscribe.class, this::add)
        .message(Unsubscribe.class, this::remove)
        .message(Ended.class, over -> removeEnded());
  }

  @Override
  protected Future<?> started() {
    state().inMemory().forEach(this::watch);
    return Future.succeededFuture();
  }

  private void watch(String path) {
    ended.remove(path);
    watch(
        callboard().ref(path, events),
        end -> {
          ended.add(path);
          return new Ended();
        });
  }

  private void removeEnded() {
    Set<String> gone = Set.copyOf(ended);
    ended.clear();
    List<String> left = state().inMemory().stream().filter(path -> !gone.contains(path)).toList();
    if (left.size() < state().inMemory().size()) {
      update(state().with(false, left));
    }
    gone.forEach(path -> unwatch(callboard().ref(path, events)));
  }

  private void add(Subscribe wanted) {
    List<String> known = state().of(wanted.durable());
    String path = wanted.path();
    if (path.equals(path().toString())) {
      String why = "topic %s cannot subscribe to itself: an event would circulate forever";
      refuse(wanted, new CallboardException(Code.BAD_MESSAGE, why.formatted(path)));
      return;
    }
    if (!known.contains(path)) {
      if (state().count() >= MOST_SUBSCRIBERS) {
        String why =
            "%s has %d subscribers, which is the limit: %s was not subscribed"
                .formatted(path(), MOST_SUBSCRIBERS, path);
        refuse(wanted, new CallboardException(Code.UNAVAILABLE, why));
        return;
      }
      List<String> more = new ArrayList<>(known);
      more.add(path);
      update(state().with(wanted.durable(), more));
    }
    if (!wanted.durable()) {
      watch(path);
    }
    reply(new Subscribed(state().count()));
  }

  private void remove(Unsubscribe gone) {
    List<String> known = state().of(gone.durable());
    if (known.contains(gone.path())) {
      update(
          state()
              .with(
                  gone.durable(),
                  known.stream().filter(path -> !path.equals(gone.path())).toList()));
    }
    if (!gone.durable()) {
      ended.remove(gone.path());
      unwatch(callboard().ref(gone.path(), events));
    }
    reply(new Subscribed(state().count()));
  }

  /**
   * Sends an event to all subscribers, as part of the present turn.
   *
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE} if one commit cannot send it to all
   */
  private void publish(Object given) {
    if (!events.isInstance(given)) {
      throw new CallboardException(
          Code.BAD_MESSAGE,
          "%s distributes events of type %s, not %s"
              .formatted(path(), events.getName(), given.getClass().getName()));
    }
    E event = events.cast(given);
    Subscribers all = state();
    if (!all.durable().isEmpty()) {
      long each = Json.bytes(event).length + ALONG_BYTES;
      if (each * all.durable().size() > MOST_BYTES) {
        throw CallboardException.tooLarge(
            "an event for %d durable subscribers of %s, with %d bytes for each,"
                .formatted(all.durable().size(), path(), each),
            each * all.durable().size(),
            MOST_BYTES);
      }
    }
    List<ActorRef<E>> receivers = new ArrayList<>(all.count());
    all.durable().forEach(path -> receivers.add(callboard().durableRef(path, events)));
    all.inMemory().forEach(path -> receivers.add(callboard().ref(path, events)));
    tellAll(receivers, event);
    reply(new Published(all.count()));
  }
}
