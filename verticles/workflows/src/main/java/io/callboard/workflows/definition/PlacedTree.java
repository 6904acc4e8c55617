package io.callboard.workflows.definition;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.callboard.codecs.JsonFault;
import io.callboard.codecs.fields.Fields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Tree of a YAML or JSON text that knows the line and column of each value. */
final class PlacedTree {
  /** Maximum number of characters of a text. */
  static final int MOST_LENGTH = 8 << 20;

  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder()
          .maxNestingDepth(100)
          .maxNameLength(1_000)
          .maxNumberLength(100)
          .maxStringLength(1 << 20)
          .maxDocumentLength(MOST_LENGTH)
          .build();

  private final Map<String, Place> places = new HashMap<>();
  private final List<String> duplicates = new ArrayList<>();
  private JsonNode root = NullNode.getInstance();

  private PlacedTree() {}

  /** Format of a text. */
  enum Format {
    /** JSON. */
    JSON,
    /** YAML 1.1, of which a JSON text is one, too. */
    YAML
  }

  /**
   * Place in a text.
   *
   * @param line line, from 1
   * @param column column, from 1
   */
  record Place(int line, int column) {}

  /** A text that cannot be read, with the place of the mistake. */
  static final class SyntaxException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Place place;

    SyntaxException(String message, Place place) {
      super(message);
      this.place = place;
    }

    Place place() {
      return place;
    }
  }

  /**
   * Reads a text.
   *
   * @throws SyntaxException if it is not well formed, or exceeds a limit
   */
  static PlacedTree read(String text, Format format) throws SyntaxException {
    if (text.length() > MOST_LENGTH) {
      throw new SyntaxException(
          "the text has %,d characters, the limit is %,d".formatted(text.length(), MOST_LENGTH),
          new Place(1, 1));
    }
    JsonFactory factory =
        format == Format.YAML
            ? YAMLFactory.builder().loaderOptions(yaml()).streamReadConstraints(LIMITS).build()
            : JsonFactory.builder().streamReadConstraints(LIMITS).build();
    PlacedTree tree = new PlacedTree();
    try (JsonParser parser = factory.createParser(text)) {
      tree.root = parser.nextToken() == null ? NullNode.getInstance() : tree.value(parser, "");
      if (parser.nextToken() != null) {
        throw new SyntaxException(
            "there is more than one document", place(parser.currentTokenLocation()));
      }
    } catch (JsonProcessingException e) {
      throw new SyntaxException(JsonFault.why(e), place(e));
    } catch (NumberFormatException e) {
      throw new SyntaxException("the exponent of a number is too large", new Place(1, 1));
    } catch (IOException e) {
      throw new SyntaxException(String.valueOf(e.getMessage()), new Place(1, 1));
    }
    return tree;
  }

  private static LoaderOptions yaml() {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(MOST_LENGTH);
    return options;
  }

  private static Place place(JsonProcessingException e) {
    if (e.getCause() instanceof MarkedYAMLException yaml && yaml.getProblemMark() != null) {
      return new Place(yaml.getProblemMark().getLine() + 1, yaml.getProblemMark().getColumn() + 1);
    }
    return e.getLocation() == null ? new Place(1, 1) : place(e.getLocation());
  }

  private static Place place(JsonLocation location) {
    return new Place(Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
  }

  private JsonNode value(JsonParser parser, String pointer) throws IOException {
    places.putIfAbsent(pointer, place(parser.currentTokenLocation()));
    if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
      throw new JsonParseException(
          parser,
          "aliases are not supported: write the value of \"*%s\" here".formatted(yaml.getText()),
          parser.currentTokenLocation());
    }
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object(parser, pointer);
      case START_ARRAY -> array(parser, pointer);
      case VALUE_STRING -> TextNode.valueOf(parser.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> DecimalNode.valueOf(parser.getDecimalValue());
      case VALUE_TRUE -> BooleanNode.TRUE;
      case VALUE_FALSE -> BooleanNode.FALSE;
      default -> NullNode.getInstance();
    };
  }

  private ObjectNode object(JsonParser parser, String pointer) throws IOException {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      String child = pointer + "/" + Fields.escaped(name);
      Place key = place(parser.currentTokenLocation());
      JsonToken unused = parser.nextToken();
      if (object.has(name)) {
        duplicates.add(child);
      }
      places.put(child, key); // the place of a field is that of its name
      object.set(name, value(parser, child));
    }
    return object;
  }

  private ArrayNode array(JsonParser parser, String pointer) throws IOException {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser, pointer + "/" + array.size()));
    }
    return array;
  }

  JsonNode root() {
    return root;
  }

  /** Returns the pointers of duplicate fields. */
  List<String> duplicates() {
    return List.copyOf(duplicates);
  }

  /** Returns the place of a value, or that of the nearest one around it. */
  Optional<Place> place(String pointer) {
    String at = pointer;
    while (!places.containsKey(at) && !at.isEmpty()) {
      at = at.substring(0, at.lastIndexOf('/'));
    }
    return Optional.ofNullable(places.get(at));
  }
}
