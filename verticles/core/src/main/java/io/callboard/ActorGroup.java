package io.callboard;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A named group of actors of the cell ({@link ActorOptions#group(String)}), on whichever nodes they
 * run: volatile actors are members from their first start, durable ones while they run. A restart
 * changes nothing; an actor leaves when it is stopped, given up by its supervisor, passivated, or
 * lost with its node.
 *
 * <p>Membership is eventually consistent: changes on this node are visible here at once; those of
 * other nodes after 0.1 seconds, or under load within a second, plus the latency of the store's
 * watch (some milliseconds). The members of a lost node leave when its session ends. Until then a
 * message to a lost member fails like any other.
 *
 * @param <M> the protocol that the members share
 */
public interface ActorGroup<M> {
  /**
   * Checks the name of a group and returns it: 1 to 100 letters, digits and {@code - _ .}
   *
   * @throws IllegalArgumentException if the name is not valid
   */
  static String named(@Nullable String name) {
    if (name == null || !name.matches("[A-Za-z0-9._-]{1,100}")) {
      throw new IllegalArgumentException(
          "\"%.120s\" is not a group name: use 1 to 100 letters, digits and - _ .".formatted(name));
    }
    return name;
  }

  /** Returns the name of the group. */
  String name();

  /** Returns the members that this node knows of now, ordered by path. */
  List<ActorRef<M>> members();

  /**
   * Registers a listener, which is called on the caller's context with the members now and after
   * each change; changes in quick succession are merged.
   *
   * @return unregisters the listener
   */
  Runnable listen(Consumer<List<ActorRef<M>>> listener);
}
