package io.callboard.routing;

import io.callboard.Actor;
import io.callboard.ActorGroup;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Factory of routers: actors that forward each message of their protocol to routees, by a {@link
 * Routing} strategy. The routee answers the asker. A message for which there is no routee is
 * refused: its ask fails with {@code NO_SUCH_ACTOR}, and it becomes a dead letter.
 *
 * <pre>{@code
 * callboard.spawn("resize", Routers.pool(8, Resizer::new, Routing.roundRobin()));
 * }</pre>
 *
 * <p>A router that is in a discovered group is not its own routee. Cycles of routers are not
 * detected: a message circulates in one for ever, or until its ask times out, as with any actors
 * that forward to each other. Routers should form a tree.
 *
 * <p>A router's mailbox and zone are those of its {@link ActorOptions}, like any actor's.
 */
public final class Routers {
  /** Limit of the routees of one pool. */
  public static final int MOST = 10_000;

  private Routers() {}

  /**
   * Returns a router that starts its routees as its children, at {@code <its path>/1} and so on.
   * They are supervised like any other actor, and end with the router; a routee that has ended,
   * because it stopped itself or its supervisor gave it up, is replaced. The router starts when all
   * have started.
   *
   * @param size 1 to {@value #MOST}
   * @param factory makes a new object for each start and restart of a routee, and one more for each
   *     start of the router, to know the protocol
   */
  public static <M> Supplier<Actor<M>> pool(
      int size, Supplier<? extends Actor<M>> factory, Routing<M> routing) {
    return pool(size, factory, routing, new ActorOptions().onBus(false));
  }

  /**
   * Returns a pool with options for its routees.
   *
   * @param options of the routees
   */
  public static <M> Supplier<Actor<M>> pool(
      int size, Supplier<? extends Actor<M>> factory, Routing<M> routing, ActorOptions options) {
    if (size < 1 || size > MOST) {
      throw new IllegalArgumentException(
          "a pool must have 1 to %d routees, not %d".formatted(MOST, size));
    }
    Objects.requireNonNull(
        factory,
        "factory is null: give a supplier that makes a new routee each time, such as Resizer::new");
    Objects.requireNonNull(options, "options is null: give new ActorOptions() for the defaults");
    requireRouting(routing);
    ActorOptions own = new ActorOptions(options);
    return () -> new Pool<>(size, factory, own, protocol(factory), routing);
  }

  private static <M> Class<M> protocol(Supplier<? extends Actor<M>> factory) {
    Actor<M> probe =
        Objects.requireNonNull(factory.get(), "the factory of the routees made no actor");
    return probe.messageType();
  }

  /**
   * Returns a router to these actors, volatile or durable, here or on other nodes, running or not.
   */
  public static <M> Supplier<Actor<M>> group(
      Class<M> protocol, List<ActorRef<M>> routees, Routing<M> routing) {
    requireProtocol(protocol);
    requireRouting(routing);
    Objects.requireNonNull(routees, "routees is null: give the refs of the actors");
    List<ActorRef<M>> given = List.copyOf(routees);
    return () -> new Group<>(protocol, given, "", routing);
  }

  /**
   * Returns a router to the present members of the group of that name ({@link
   * ActorOptions#group(String)}), anywhere in the cell, except the router itself.
   */
  public static <M> Supplier<Actor<M>> group(Class<M> protocol, String group, Routing<M> routing) {
    requireProtocol(protocol);
    requireRouting(routing);
    String name = ActorGroup.named(group);
    return () -> new Group<>(protocol, List.of(), name, routing);
  }

  private static void requireProtocol(@Nullable Class<?> protocol) {
    Objects.requireNonNull(
        protocol, "protocol is null: give the root of the protocol that the routees share");
  }

  private static void requireRouting(@Nullable Routing<?> routing) {
    Objects.requireNonNull(routing, "routing is null: give one, such as Routing.roundRobin()");
  }
}
