package io.callboard.testkit.internal.world;

/** Watch over a world from outside: what is seen of it, and may be done to it. */
public interface WorldWatch {
  /** Sees a message that a durable actor has committed, or a volatile one has sent. */
  default void sent(String from, String to, Object message) {}

  /** Sees an answer that an actor gives, whoever waits for it. */
  default void answered(String from, Object answer) {}

  /** Returns what comes instead of a message, which is a flaw; by default the message itself. */
  default Object comes(String to, Object message) {
    return message;
  }

  /** Sees an event that a turn of a durable actor has committed. */
  default void persisted(String path, Object event) {}

  /** Sees a message come into a durable mailbox; returns whether it may. */
  default boolean stores(String to, Object message) {
    return true;
  }

  /** Ends the program of a node whose name another process has taken. */
  default void nameTaken(WorldNode node) {}

  /** Sees a message come to a volatile actor; returns whether it may. */
  default boolean arrives(String to, Object message) {
    return true;
  }

  /** Returns whether that actor is restarted now and then. */
  default boolean crashes(String path) {
    return true;
  }

  /** Returns whether what that actor sends leaves before its commit, which is a flaw. */
  default boolean sendsBeforeCommit(String path) {
    return false;
  }
}
