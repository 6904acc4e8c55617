package io.callboard.codecs.redaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Named;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is sensitive in JSON that has another form than the record. */
class ShapesTest {
  private static final String SECRET = "DE8937040044";

  record Card(String holder, @Sensitive String number) {}

  record Listed(String number, @Sensitive String secret) {
    @JsonValue
    List<String> all() {
      return List.of(number, secret);
    }
  }

  record Mapped(String number, @Sensitive String secret) {
    @JsonValue
    Map<String, String> all() {
      return Map.of("number", secret);
    }
  }

  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  record InOrder(String holder, @Sensitive String number) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
  @JsonSubTypes(@JsonSubTypes.Type(value = ByOrder.class, name = "order"))
  interface Wrapped {}

  record ByOrder(String order, @Sensitive String number) implements Wrapped {}

  interface Open {}

  record ByCard(Card card) implements Open {}

  static final class Purse {
    private final Card card;
    private final String colour;

    @JsonCreator
    Purse(@JsonProperty("card") Card card, @JsonProperty("colour") String colour) {
      this.card = card;
      this.colour = colour;
    }

    public Card getCard() {
      return card;
    }

    public String getColour() {
      return colour;
    }

    public String getSummary() {
      return card.number();
    }
  }

  static final class Box<T> {
    public T within;

    @JsonCreator
    Box(@JsonProperty("within") T within) {
      this.within = within;
    }
  }

  record Outer(@JsonUnwrapped Card card) {}

  @Named("shapes")
  record Shapes(
      Listed listed,
      Mapped mapped,
      InOrder inOrder,
      Map<String, InOrder[]> many,
      Wrapped wrapped,
      @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
          @JsonSubTypes(@JsonSubTypes.Type(value = ByCard.class, name = "card"))
          Open open,
      Purse purse,
      Box<Card> box,
      Outer outer,
      Map<Card, Integer> keys,
      @JsonAlias("formerly") Card now,
      @JsonAlias("code") @Sensitive String pin) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(Second.class))
  interface First {}

  @JsonSubTypes({@JsonSubTypes.Type(First.class), @JsonSubTypes.Type(Second.class)})
  interface Second extends First {}

  @Named("goes-round")
  record Round(First first, @Sensitive String secret) {}

  record Pair<T>(T left, T right) {}

  record Growing<T>(String text, Growing<List<T>> next) {}

  record Doubling<T>(String text, Doubling<Pair<T>> next) {}

  record Widening<T>(String text, Widening<T[]> next) {}

  @Named("grows-and-grows")
  record Grows(
      Growing<String> lists,
      Doubling<String> pairs,
      Widening<String> arrays,
      Map<String, List<Pair<Card>>> deep) {}

  private static Sensitivity of(Class<?> type) {
    return Sensitivity.of(MessageType.of(type), JsonNodeFactory.instance.objectNode());
  }

  private static void isSeen(JsonNode json, Sensitivity sensitivity, String at) {
    if (sensitivity.isAll()) {
      return;
    }
    if (json.isObject()) {
      json.properties()
          .forEach(
              field -> {
                String name = field.getKey();
                assertThat(name).as(at).doesNotContain(SECRET);
                isSeen(field.getValue(), sensitivity.field(name), at + "/" + name);
              });
    } else if (json.isArray()) {
      json.forEach(each -> isSeen(each, sensitivity.element(), at + "/-"));
    } else if (!sensitivity.isSecret()) {
      assertThat(json.asText()).as(at).doesNotContain(SECRET);
    }
  }

  @Test
  void aSensitiveValueIsFoundInWhateverFormItIsWritten() {
    Card card = new Card("ann", SECRET);
    InOrder order = new InOrder("ann", SECRET);
    Shapes shapes =
        new Shapes(
            new Listed("1", SECRET),
            new Mapped("1", SECRET),
            order,
            Map.of("a", new InOrder[] {order}),
            new ByOrder("1", SECRET),
            new ByCard(card),
            new Purse(card, "red"),
            new Box<>(card),
            new Outer(card),
            Map.of(card, 1),
            card,
            SECRET);
    JsonNode json = Json.uncheckedTree(shapes);
    assertThat(json.toString().split(SECRET, -1)).hasSizeGreaterThan(12);
    assertThat(of(Shapes.class).isAll()).isFalse();
    isSeen(json, of(Shapes.class), "");
  }

  @Test
  void otherValuesAreShownWhereTheirPlaceIsCertain() {
    Sensitivity shapes = of(Shapes.class);
    assertThat(shapes.field("purse").field("colour").isSecret()).isFalse();
    assertThat(shapes.field("purse").field("card").field("holder").isSecret()).isFalse();
    assertThat(shapes.field("box").field("within").field("holder").isSecret()).isFalse();
    assertThat(shapes.field("now").field("holder").isSecret()).isFalse();
  }

  @Test
  void soIsWhatStandsUnderAnAlias() {
    Sensitivity shapes = of(Shapes.class);
    assertThat(shapes.field("formerly").field("number").isAll()).isTrue();
    assertThat(shapes.field("formerly").field("holder").isSecret()).isFalse();
    assertThat(shapes.field("code").isAll()).isTrue();
  }

  @Test
  void typesThatNameEachOtherAreLookedAtOnce() {
    Sensitivity round = of(Round.class);
    assertThat(round.field("first").field("any").isSecret()).isFalse();
    assertThat(round.field("secret").isAll()).isTrue();
  }

  @Test
  void ofATypeThatGrowsWithoutEndAllIsSensitiveBeyondADepth() {
    for (String name : List.of("lists", "pairs", "arrays")) {
      Sensitivity grown = of(Grows.class).field(name);
      for (int depth = 1; depth < SensitiveParts.MOST_NESTED; depth++) {
        assertThat(grown.isAll()).as("%s at %d", name, depth).isFalse();
        grown = grown.field("next");
      }
      assertThat(grown.isAll()).as("%s at the depth that is looked at", name).isFalse();
      assertThat(grown.field("next").isAll()).as("%s beyond it", name).isTrue();
    }
    Sensitivity card = of(Grows.class).field("deep").field("any").element().field("left");
    assertThat(card.field("holder").isSecret()).isFalse();
    assertThat(card.field("number").isAll()).isTrue();
  }
}
