package io.callboard.codecs;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a stored state that this code does not know, because a newer version of it wrote them:
 * kept beside the state, and written back with the next one of the same type. Immutable.
 *
 * <p>They are told by their path of names. What lies within a list cannot be kept: nothing says
 * which of the next state's elements it would belong to.
 */
public final class UnknownFields {
  public static final UnknownFields NONE = new UnknownFields("", List.of(), List.of());

  private final String type;
  private final List<Field> fields;
  private final List<String> lost;

  /** One of them. */
  private record Field(List<String> path, JsonNode value) {}

  private UnknownFields(String type, List<Field> fields, List<String> lost) {
    this.type = type;
    this.fields = fields;
    this.lost = lost;
  }

  /** Collects them while one value is read. */
  static final class Collector {
    /** The attribute of the reader that is one of these. */
    static final Object KEY = Collector.class;

    private final List<Field> fields = new ArrayList<>(0);
    private final List<String> lost = new ArrayList<>(0);

    private void take(JsonParser parser, JsonNode value) {
      Deque<String> path = new ArrayDeque<>();
      boolean inList = false;
      for (JsonStreamContext at = parser.getParsingContext();
          at != null && !at.inRoot();
          at = at.getParent()) {
        inList |= at.inArray();
        path.addFirst(at.inArray() ? "[]" : String.valueOf(at.getCurrentName()));
      }
      if (inList) {
        String name = String.join(".", path).replace(".[]", "[]");
        if (!lost.contains(name)) {
          lost.add(name);
        }
      } else {
        fields.add(new Field(List.copyOf(path), value));
      }
    }

    /**
     * @param type the logical name of what was read
     */
    UnknownFields collected(String type) {
      return fields.isEmpty() && lost.isEmpty()
          ? NONE
          : new UnknownFields(type, List.copyOf(fields), List.copyOf(lost));
    }
  }

  /** Gives them to the collector of the reader that has one. */
  static final class Handler extends DeserializationProblemHandler {
    @Override
    public boolean handleUnknownProperty(
        DeserializationContext context,
        JsonParser parser,
        JsonDeserializer<?> deserializer,
        Object beanOrClass,
        String name)
        throws IOException {
      if (!(context.getAttribute(Collector.KEY) instanceof Collector collector)) {
        return false;
      }
      JsonNode value = context.readTree(parser);
      collector.take(parser, value);
      return true;
    }
  }

  public boolean isEmpty() {
    return fields.isEmpty() && lost.isEmpty();
  }

  /** The paths of those that are lost when the state is written, as {@code lines[].note}. */
  public List<String> lost() {
    return lost;
  }

  /**
   * The JSON of the next state with these in it, where what they are part of is still there.
   *
   * @param written as {@link Json#tree} made it; changed
   */
  public JsonNode addTo(JsonNode written) {
    fields.forEach(field -> add(field, written));
    return written;
  }

  /** What is kept once the state is of that type: nothing of another. */
  public UnknownFields goOnWith(MessageType next) {
    return isEmpty() || next.name().equals(type) ? this : NONE;
  }

  private static void add(Field field, JsonNode written) {
    int last = field.path().size() - 1;
    @Nullable JsonNode at = written;
    for (String name : field.path().subList(0, last)) {
      at = at instanceof ObjectNode object ? object.get(name) : null;
    }
    if (at instanceof ObjectNode object && !object.has(field.path().get(last))) {
      JsonNode unused = object.set(field.path().get(last), field.value());
    }
  }
}
