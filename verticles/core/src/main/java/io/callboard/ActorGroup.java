package io.callboard;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The actors of the cell that joined a group ({@link ActorOptions#group(String)}), wherever they
 * run: volatile ones from their first start, durable ones while they run. A restart changes
 * nothing; an actor leaves when it is stopped, given up by its supervisor, passivated, or lost with
 * its node.
 *
 * <p>Eventual: what happens on this node is known here at once; what happens on another one 0.1
 * seconds later, or, where much happens, within a second, plus the time of the store's watch (some
 * milliseconds). The members of a lost node leave when its session is over. Until then, a message
 * to one that is gone fails like any other.
 *
 * @param <M> the protocol that the members share
 */
public interface ActorGroup<M> {
  /**
   * {@code name}, if a group can have it: 1 to 100 letters, digits and {@code - _ .}
   *
   * @throws IllegalArgumentException if none can
   */
  static String named(@Nullable String name) {
    if (name == null || !name.matches("[A-Za-z0-9._-]{1,100}")) {
      throw new IllegalArgumentException(
          "\"%.120s\" is not the name of a group: use 1 to 100 letters, digits and - _ ."
              .formatted(name));
    }
    return name;
  }

  String name();

  /** As known here now, ordered by path. */
  List<ActorRef<M>> members();

  /**
   * Tells {@code listener} the members now and after each change, on the caller's context; of
   * changes that follow each other quickly the last.
   *
   * @return ends that
   */
  Runnable listen(Consumer<List<ActorRef<M>>> listener);
}
