package io.callboard.dashboard.internal.contract;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.Contract.Operation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Check of an answer against the contract: what the document does not say is a fault. */
public final class ResponseCheck {
  private final Contract contract;

  /** Creates the check. */
  public ResponseCheck(Contract contract) {
    this.contract = contract;
  }

  /** Returns the faults of an answer; empty if it is as the document says. */
  public List<String> faults(
      Operation operation, int status, @Nullable String mediaType, byte[] body) {
    List<String> faults = new ArrayList<>();
    String media = mediaType == null ? "" : mediaType.split(";", 2)[0].strip();
    JsonNode responses =
        contract
            .tree()
            .path("paths")
            .path(operation.path())
            .path(operation.method().name().toLowerCase(Locale.ROOT))
            .path("responses");
    if (status >= 500) {
      faults.add("is a failure of the node");
    }
    if (status >= 400) {
      problem(status, media, body, faults);
    } else if (!responses.has(String.valueOf(status))) {
      faults.add("has a status that the document does not name");
    } else {
      JsonNode content = responses.path(String.valueOf(status)).path("content");
      if (content.isMissingNode()) {
        if (body.length > 0) {
          faults.add("has a body, of which the document says nothing");
        }
      } else if (!content.has(media)) {
        faults.add("is " + media + ", not one of " + content.properties());
      } else if (media.equals("application/json")) {
        schema(content.path(media).path("schema"), body, faults);
      }
    }
    return faults;
  }

  private void problem(int status, String media, byte[] body, List<String> faults) {
    if (!media.equals(Problem.MEDIA_TYPE)) {
      faults.add("is a problem of type " + media);
      return;
    }
    schema(contract.tree().at("/components/schemas/Problem"), body, faults);
    JsonNode problem = parsed(body);
    if (problem.path("status").asInt() != status || problem.path("code").asText().isEmpty()) {
      faults.add("is a problem of another status, or without a code");
    }
    for (JsonNode error : problem.path("errors")) {
      if (!error.path("pointer").isTextual() || error.path("detail").asText().isEmpty()) {
        faults.add("has an error without a pointer or a detail");
      }
    }
    if (status == 422 && problem.path("errors").isEmpty()) {
      faults.add("is 422 and names no place");
    }
    if (problem.toString().matches(".*(Exception|\\bat io\\.|java\\.lang).*")) {
      faults.add("shows classes of the implementation");
    }
  }

  private void schema(JsonNode schema, byte[] body, List<String> faults) {
    JsonNode value = parsed(body);
    if (value.isMissingNode()) {
      faults.add("is no JSON");
    } else {
      SchemaCheck.check(contract.tree(), schema, value, "").forEach(it -> faults.add("" + it));
    }
  }

  private static JsonNode parsed(byte[] body) {
    try {
      return Json.parse("the answer", body);
    } catch (RuntimeException e) {
      return com.fasterxml.jackson.databind.node.MissingNode.getInstance();
    }
  }

  /** Returns a body as text, cut for a report. */
  public static String brief(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    return text.length() > 300 ? text.substring(0, 300) + "…" : text;
  }
}
