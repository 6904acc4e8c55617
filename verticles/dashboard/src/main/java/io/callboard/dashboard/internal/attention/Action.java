package io.callboard.dashboard.internal.attention;

import org.jspecify.annotations.Nullable;

/**
 * The one thing to do about a trouble.
 *
 * @param label what to do, in words
 * @param command command that does or shows it; null if none does
 * @param post path below the API to which a POST does it; null if no request does
 * @param open what to look at; null if that is the subject, or there is nothing to see
 */
public record Action(
    String label, @Nullable String command, @Nullable String post, @Nullable Subject open) {

  static Action advice(String label) {
    return new Action(label, null, null, null);
  }

  static Action look(String label, String command) {
    return new Action(label, command, null, null);
  }

  static Action request(String label, String command, String post) {
    return new Action(label, command, post, null);
  }

  /** Returns the action that starts an actor or failure zone again, on the node on which it is. */
  static Action resume(Subject actor) {
    String node = actor.node();
    String path = Encoded.path(actor.name());
    return request(
        node == null ? "resume it" : "resume it on node " + node,
        "callboard actors resume " + actor.name() + there(actor),
        "/actors%s/resume%s".formatted(path, node == null ? "" : "?node=" + Encoded.segment(node)));
  }

  /** Returns the action that shows an actor, wherever it is. */
  static Action show(String label, Subject actor) {
    return look(label, "callboard actors show " + actor.name() + there(actor));
  }

  private static String there(Subject actor) {
    return actor.node() == null ? "" : " --node " + actor.node();
  }

  Action opens(Subject what) {
    return new Action(label, command, post, what);
  }
}
