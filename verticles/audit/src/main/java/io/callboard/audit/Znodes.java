package io.callboard.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.callboard.audit.Operation.Check;
import io.callboard.audit.Operation.Create;
import io.callboard.audit.Operation.Delete;
import io.callboard.audit.Operation.Write;
import io.callboard.audit.Violation.Rule;
import io.callboard.codecs.Json;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Znodes of a cell, as created by the log so far. */
final class Znodes {
  private final Map<String, Znode> there = new HashMap<>();

  @SuppressWarnings("ArrayRecordComponent")
  private record Znode(byte[] data, int version) {}

  Set<String> paths() {
    return there.keySet();
  }

  boolean exists(String path) {
    return there.containsKey(path);
  }

  /** Returns the contents of a znode; missing if there is none. */
  JsonNode json(String path) {
    Znode found = there.get(path);
    return found == null ? MissingNode.getInstance() : json(path, found.data());
  }

  static JsonNode json(String path, byte[] data) {
    return data.length == 0 ? MissingNode.getInstance() : Json.parse(path, data);
  }

  /** Applies an operation, and reports where the log disagrees. */
  void apply(Operation operation, BiConsumer<Rule, String> wrong) {
    String path = operation.path();
    Znode before = there.get(path);
    if (operation instanceof Create create) {
      if (before != null) {
        wrong.accept(Rule.VERSION, path + " is created twice");
      }
      there.put(path, new Znode(create.data(), 0));
    } else if (operation instanceof Write write) {
      follows(path, before, write.version() - 1, wrong);
      there.put(path, new Znode(write.data(), write.version()));
    } else if (operation instanceof Delete) {
      if (there.remove(path) == null) {
        wrong.accept(Rule.VERSION, path + " is deleted and was not there");
      }
    } else if (operation instanceof Check check) {
      follows(path, before, check.version(), wrong);
    }
  }

  private static void follows(
      String path, @Nullable Znode before, int expected, BiConsumer<Rule, String> wrong) {
    if (before == null || before.version() != expected) {
      wrong.accept(
          Rule.VERSION,
          "%s has version %s where the log says %d"
              .formatted(path, before == null ? "none" : before.version(), expected));
    }
  }
}
