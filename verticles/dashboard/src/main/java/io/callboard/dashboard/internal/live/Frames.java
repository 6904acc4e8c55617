package io.callboard.dashboard.internal.live;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Collection;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Frames that the server sends, as text. Pure. */
final class Frames {
  private Frames() {}

  /**
   * @param jobs whether the node has a job scheduler
   * @param workflows whether it has a workflow engine
   * @param sources whether it takes part in sources
   */
  static String welcome(
      String node,
      String cell,
      String version,
      long tickMs,
      boolean jobs,
      boolean workflows,
      boolean sources) {
    return frame("welcome")
        .put("v", 1)
        .put("node", node)
        .put("cell", cell)
        .put("version", version)
        .put("tick", tickMs)
        .put("jobs", jobs)
        .put("workflows", workflows)
        .put("sources", sources)
        .toString();
  }

  /** Returns the frame with every row of a subscription. */
  static String snap(int id, long seq, Collection<String> rows) {
    return head("snap", id, seq) + ",\"rows\":[" + String.join(",", rows) + "]}";
  }

  /** Returns the frame with the changes since the one before; without any it is a sign of life. */
  static String delta(int id, long seq, Map<String, String> up, Collection<String> gone) {
    StringJoiner rows = new StringJoiner(",", "{", "}");
    up.forEach((key, row) -> rows.add(quoted(key) + ":" + row));
    StringJoiner keys = new StringJoiner(",", "[", "]");
    gone.forEach(key -> keys.add(quoted(key)));
    return head("delta", id, seq) + ",\"up\":" + rows + ",\"del\":" + keys + "}";
  }

  /** Returns the frame that reports omitted changes of a subscription; a new snap follows. */
  static String gap(int id) {
    return frame("gap").put("id", id).toString();
  }

  /**
   * Returns an error frame.
   *
   * @param id id of the subscription; null if the error concerns none
   */
  static String error(@Nullable Integer id, String code, String detail) {
    ObjectNode frame = frame("error");
    if (id != null) {
      frame.put("id", id);
    }
    return frame.put("code", code).put("detail", detail).toString();
  }

  private static ObjectNode frame(String type) {
    return JsonNodeFactory.instance.objectNode().put("t", type);
  }

  private static String head(String type, int id, long seq) {
    return "{\"t\":\"%s\",\"id\":%d,\"seq\":%d".formatted(type, id, seq);
  }

  private static String quoted(String text) {
    return TextNode.valueOf(text).toString();
  }
}
