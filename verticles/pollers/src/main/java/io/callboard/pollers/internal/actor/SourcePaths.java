package io.callboard.pollers.internal.actor;

/** Names and paths of the actors of a source. */
public final class SourcePaths {
  private static final String ROLE = "source-";
  static final String POLLER = "poller";
  static final String EMIT = "emit";

  private SourcePaths() {}

  /** Returns the name of the role of a source. */
  public static String role(String source) {
    return ROLE + source;
  }

  /** Returns the path of the durable actor of a source, a role. */
  public static String actor(String source) {
    return "/roles/" + role(source);
  }

  /** Returns the path of the poller of a source, a child of its actor. */
  static String poller(String source) {
    return actor(source) + "/" + POLLER;
  }

  /** Returns the path of the actor that sends through a source, a child of its poller. */
  static String emit(String source) {
    return poller(source) + "/" + EMIT;
  }
}
