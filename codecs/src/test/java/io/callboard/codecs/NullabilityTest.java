package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.CodecException.Reason;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests of components that messages lack: refused where they are required, null where they may be
 * missing.
 */
class NullabilityTest {
  /** Class with the {@code Nullable} of another library, on declarations. */
  static final class Declared {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Nullable {}

    private Declared() {}
  }

  enum Colour {
    RED
  }

  record Line(String sku, @Nullable Integer count) {}

  sealed interface Shop {
    @Named(version = 2)
    record Order(
        String id,
        int count,
        Boolean paid,
        Colour colour,
        byte[] seal,
        List<Line> lines,
        Map<String, Line> gifts,
        @JsonProperty("by") Line first,
        JsonNode extra,
        @Nullable String note,
        @Declared.Nullable String remark,
        @Nullable JsonNode more,
        byte @Nullable [] stamp)
        implements Shop {
      @Upcast(from = 1)
      static ObjectNode coloured(ObjectNode old) {
        return old.has("colour") ? old : old.put("colour", "RED");
      }
    }
  }

  private static final List<String> REQUIRED =
      List.of("id", "count", "paid", "colour", "seal", "lines", "gifts", "by", "extra");

  private final ProtocolCodec<Shop> codec = ProtocolCodec.of(Shop.class);

  private static ObjectNode whole() {
    String json =
        "{\"id\":\"1\",\"count\":1,\"paid\":true,\"colour\":\"RED\",\"seal\":\"AQ==\",\"lines\":[],"
            + "\"gifts\":{},\"by\":{\"sku\":\"a\"},\"extra\":{}}";
    return (ObjectNode) Json.parse("it", json.getBytes(StandardCharsets.UTF_8));
  }

  /** Decodes from a tree and from bytes, which must agree. */
  private Shop.Order read(int version, ObjectNode body) {
    MessageType type = new MessageType("order", version);
    byte[] bytes = Json.bytes(body);
    Shop read;
    try {
      read = codec.decode(type, body);
    } catch (CodecException e) {
      assertThatThrownBy(() -> codec.decode(type, bytes, 0, bytes.length))
          .hasMessage(e.getMessage())
          .isInstanceOfSatisfying(
              CodecException.class, other -> assertThat(other.reason()).isEqualTo(e.reason()));
      throw e;
    }
    assertThat(codec.decode(type, bytes, 0, bytes.length))
        .usingRecursiveComparison()
        .isEqualTo(read);
    return (Shop.Order) read;
  }

  private static void refuses(String field, String owner, ThrowingCallable call) {
    assertThatThrownBy(call)
        .as(field)
        .isInstanceOfSatisfying(
            CodecException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INCOMPLETE))
        .hasMessage(
            "message \"order\" of Shop cannot be read: \"%s\" of %s must be there, but is missing"
                + " or null",
            field, owner);
  }

  @Test
  void aMissingOrNullFieldIsRefusedWithItsTypeAndName() {
    assertThat(read(2, whole()).id()).isEqualTo("1");
    for (String field : REQUIRED) {
      refuses(field, "Order", () -> read(2, whole().without(field)));
      if (!field.equals("extra")) {
        refuses(field, "Order", () -> read(2, whole().putNull(field)));
      }
    }
  }

  @Test
  void soIsWhatANestedRecordLacks() {
    ObjectNode lines = whole();
    lines.putArray("lines").addObject().put("sku", "a");
    ((ObjectNode) lines.at("/lines/0")).put("count", 2);
    assertThat(read(2, lines).lines()).containsExactly(new Line("a", 2));
    lines.withArray("lines").addObject().put("count", 1);
    refuses("lines[1].sku", "Line", () -> read(2, lines));
    ObjectNode gifts = whole();
    gifts.putObject("gifts").putObject("Ada").putNull("sku");
    refuses("gifts.*.sku", "Line", () -> read(2, gifts));
    ObjectNode by = whole();
    by.putObject("by");
    refuses("by.sku", "Line", () -> read(2, by));
  }

  record Asked(Optional<String> name, Optional<Line> line, OptionalInt count) {}

  @Test
  void anOptionalIsWhatItHoldsOrIsMissing() {
    Asked none = new Asked(Optional.empty(), Optional.empty(), OptionalInt.empty());
    Asked some = new Asked(Optional.of("Ada"), Optional.of(new Line("a", 1)), OptionalInt.of(3));
    assertThat(Json.bytes(none)).asString().isEqualTo("{}");
    assertThat(Json.bytes(some))
        .asString()
        .isEqualTo("{\"name\":\"Ada\",\"line\":{\"sku\":\"a\",\"count\":1},\"count\":3}");
    assertThat(Json.read("it", Json.bytes(none), Asked.class)).isEqualTo(none);
    assertThat(Json.read("it", Json.bytes(some), Asked.class)).isEqualTo(some);
    byte[] nulls = "{\"name\":null,\"line\":null}".getBytes(StandardCharsets.UTF_8);
    assertThat(Json.read("it", nulls, Asked.class)).isEqualTo(none);
    byte[] bad = "{\"line\":{\"count\":1}}".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> Json.read("it", bad, Asked.class))
        .hasMessageContaining("\"line.sku\" of Line must be there");
  }

  @Test
  void aFieldThatMayBeNullMayBeMissing() {
    Shop.Order missing = read(2, whole());
    Shop.Order nulls =
        read(2, whole().putNull("note").putNull("remark").putNull("more").putNull("stamp"));
    assertThat(missing.note()).isNull();
    assertThat(missing.remark()).isNull();
    assertThat(missing.more()).isNull();
    assertThat(missing.stamp()).isNull();
    assertThat(missing.first().count()).isNull();
    assertThat(nulls.note()).isNull();
    assertThat(nulls.remark()).isNull();
    assertThat(nulls.stamp()).isNull();
  }

  @Test
  void nullIsAValueOfAnyJson() {
    Shop.Order order = read(2, whole().putNull("extra"));
    assertThat(order.extra()).isEqualTo(NullNode.instance);
    assertThat(new String(Json.bytes(order), StandardCharsets.UTF_8)).contains("\"extra\":null");
  }

  @Test
  void anUpcastMayFillWhatIsMissing() {
    assertThat(read(1, (ObjectNode) whole().without("colour")).colour()).isEqualTo(Colour.RED);
    refuses("paid", "Order", () -> read(1, whole().without("paid")));
  }

  @Test
  void aValueThatCouldNotBeReadAgainIsNotWritten() {
    Shop.Order order = read(2, whole());
    Line incomplete = new Line(null, 1);
    Shop.Order nested =
        new Shop.Order(
            "1",
            1,
            true,
            Colour.RED,
            order.seal(),
            List.of(incomplete),
            Map.of(),
            order.first(),
            order.extra(),
            null,
            null,
            null,
            null);
    List<ThrowingCallable> ways =
        List.of(
            () -> Json.bytes(nested),
            () -> Json.tree(nested),
            () -> Envelope.of(new MessageId("/a", 1), nested, null),
            () -> WrittenEvent.of(nested));
    for (ThrowingCallable way : ways) {
      assertThatThrownBy(way)
          .isInstanceOfSatisfying(
              CodecException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNWRITABLE))
          .hasMessageContaining("Order cannot be written as JSON")
          .hasMessageContaining("sku of Line is null, but not @Nullable");
    }
    assertThat(new String(Json.bytes(new Line("a", null)), StandardCharsets.UTF_8))
        .isEqualTo("{\"sku\":\"a\"}");
  }

  @Test
  void elementsAreNotLookedAt() {
    ObjectNode order = whole();
    order.putArray("lines").addNull();
    assertThat(read(2, order).lines()).hasSize(1).containsOnlyNulls();
  }

  record Kinds(Optional<String> perhaps, @Nullable String may, String must, int number) {}

  @Test
  void anOptionalMayBeMissing() {
    assertThat(
            Arrays.stream(Kinds.class.getRecordComponents())
                .filter(Nullability::mayBeNull)
                .map(component -> component.getName()))
        .containsExactly("perhaps", "may");
  }
}
