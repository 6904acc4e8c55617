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
 * <p>They are identified by their path of names. A field of the state itself is kept as long as the
 * state is of its type; one of a value within it, as long as that value is as it was, as far as
 * this code knows it: in another value's place it would say something of that. What lies within a
 * list cannot be kept: nothing says which of the next state's elements it would belong to.
 */
public final class UnknownFields {
  /** No unknown fields. */
  public static final UnknownFields NONE = new UnknownFields("", List.of(), List.of());

  private final String type;
  private final List<Field> fields;
  private final List<String> lost;

  /**
   * Field that this code does not know.
   *
   * @param within what this code knows of the value that it belongs to; null for the state itself
   */
  private record Field(List<String> path, JsonNode value, @Nullable JsonNode within) {
    /** Returns the field as one of a value within {@code state}, as this code writes it. */
    Field of(JsonNode state) {
      return path.size() == 1 ? this : new Field(path, value, holder(state));
    }

    /** Returns the object that the field would be added to; null if it is not there. */
    @Nullable ObjectNode holder(JsonNode state) {
      @Nullable JsonNode at = state;
      for (String name : path.subList(0, path.size() - 1)) {
        at = at instanceof ObjectNode object ? object.get(name) : null;
      }
      return at instanceof ObjectNode object ? object : null;
    }

    boolean goesOnWith(JsonNode state) {
      ObjectNode holder = holder(state);
      return holder != null && (path.size() == 1 || holder.equals(within));
    }

    void addTo(JsonNode state) {
      ObjectNode holder = holder(state);
      String name = path.get(path.size() - 1);
      if (holder != null && !holder.has(name)) {
        JsonNode unused = holder.set(name, value);
      }
    }

    String name() {
      return String.join(".", path);
    }
  }

  private UnknownFields(String type, List<Field> fields, List<String> lost) {
    this.type = type;
    this.fields = fields;
    this.lost = lost;
  }

  /** Collector of the unknown fields while one value is read. */
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
        fields.add(new Field(List.copyOf(path), value, null));
      }
    }

    /**
     * Returns the fields that a read collected.
     *
     * @param type the logical name of what was read
     * @param read the value
     */
    UnknownFields collected(String type, Object read) {
      if (fields.isEmpty()) {
        return lost.isEmpty() ? NONE : new UnknownFields(type, List.of(), List.copyOf(lost));
      }
      JsonNode known = Json.tree(read);
      return new UnknownFields(
          type, fields.stream().map(field -> field.of(known)).toList(), List.copyOf(lost));
    }
  }

  /** Handler that gives unknown fields to the collector of the reader, if it has one. */
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

  /** Returns whether there are no unknown fields, kept or lost. */
  public boolean isEmpty() {
    return fields.isEmpty() && lost.isEmpty();
  }

  /**
   * Returns the paths of the fields that are lost when the state is written, as {@code
   * lines[].note}.
   */
  public List<String> lost() {
    return lost;
  }

  /**
   * Returns the JSON of the next state with these fields in it.
   *
   * @param written as {@link Json#tree} made it; changed
   */
  public JsonNode addTo(JsonNode written) {
    fields.forEach(field -> field.addTo(written));
    return written;
  }

  /**
   * Returns the fields that are kept with the next state: none if it is of another type.
   *
   * @param written as {@link Json#tree} made it
   */
  public UnknownFields goOnWith(MessageType next, JsonNode written) {
    if (isEmpty()) {
      return this;
    } else if (!next.name().equals(type)) {
      return NONE;
    }
    List<Field> kept = fields.stream().filter(field -> field.goesOnWith(written)).toList();
    return kept.size() == fields.size() ? this : new UnknownFields(type, kept, lost);
  }

  /** Returns the paths of the fields that are not in {@code next}, which was made of these. */
  public List<String> without(UnknownFields next) {
    return fields.stream().filter(field -> !next.fields.contains(field)).map(Field::name).toList();
  }
}
