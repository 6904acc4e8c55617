package io.callboard.internal.remote;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.RemoteAdmin;
import io.callboard.admin.SupervisionTree;
import io.callboard.codecs.Json;
import java.util.List;
import java.util.Map;

/** Form of what is in failure zones of a node: as many rows of each as an answer has room for. */
final class ZoneContents {
  private ZoneContents() {}

  /**
   * Returns the answer: the rows by their keys.
   *
   * @param most maximum number of rows of each zone; half of it, and so on, if they are too large
   */
  static ObjectNode of(SupervisionTree tree, List<String> zones, int most) {
    ObjectNode answer = form(tree.rows(zones, most));
    for (int fewer = most / 2; fewer > 0 && isTooLarge(answer); fewer /= 2) {
      answer = form(tree.rows(zones, fewer));
    }
    return answer;
  }

  private static boolean isTooLarge(ObjectNode answer) {
    return Json.bytes(answer).length > RemoteAdmin.MOST_BYTES;
  }

  private static ObjectNode form(Map<String, ObjectNode> rows) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode().put("f", Question.FORMAT);
    ObjectNode contents = answer.putObject("contents");
    rows.forEach((key, row) -> contents.set(key, RollUp.brief(row)));
    return answer;
  }
}
