package io.callboard.codecs.redaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Named;
import io.callboard.codecs.ParkedDelivery;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.codecs.Upcast;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What of messages is sensitive, as their types say. */
class SensitivityTest {
  record Card(String holder, @Sensitive String number) {}

  record Pin(@JsonValue @Sensitive String digits) {}

  record Tree(@Sensitive String leaf, List<Tree> below) {}

  record Pair<T>(T left, T right) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes({
    @JsonSubTypes.Type(value = ByCard.class, name = "card"),
    @JsonSubTypes.Type(value = ByCash.class, name = "cash")
  })
  interface Payment {}

  record ByCard(Card card) implements Payment {}

  record ByCash(int amount) implements Payment {}

  sealed interface Shop {}

  record Pay(
      String order,
      @Sensitive Map<String, String> notes,
      Card card,
      List<Card> cards,
      Map<String, Card> named,
      Optional<Card> maybe,
      Pair<Card> pair,
      Pin pin,
      Payment payment,
      @JsonProperty("iban-of") @Sensitive String iban)
      implements Shop {}

  @Named("grow-tree")
  record Grow(Tree tree) implements Shop {}

  @Named(value = "renamed", version = 2, formerly = "old-name")
  record Renamed(@Sensitive String secret) implements Shop {
    @Upcast(from = 1)
    static ObjectNode same(ObjectNode old) {
      return old;
    }
  }

  @Named("plain-one")
  record Plain(String order, List<String> lines) implements Shop {}

  private static final JsonNode NOTHING = JsonNodeFactory.instance.objectNode();

  @BeforeAll
  static void theProtocolIsKnown() {
    ProtocolCodec.check(Shop.class);
  }

  private static Sensitivity of(String name, int version) {
    return Sensitivity.of(new MessageType(name, version), NOTHING);
  }

  private static void isOfACard(Sensitivity card) {
    assertThat(card.isAll()).isFalse();
    assertThat(card.field("holder").isSecret()).isFalse();
    assertThat(card.field("number").isAll()).isTrue();
  }

  @Test
  void aComponentIsSensitiveWithAllThatIsInIt() {
    Sensitivity pay = of("pay", 1);
    assertThat(pay.isAll()).isFalse();
    assertThat(pay.field("order").isSecret()).isFalse();
    assertThat(pay.field("no such").isAll()).as("who knows what it is").isTrue();
    assertThat(pay.field("notes").isAll()).isTrue();
    assertThat(pay.field("notes").field("x").element().isSecret()).isTrue();
  }

  @Test
  void soIsOneWithinAnother() {
    Sensitivity pay = of("pay", 1);
    isOfACard(pay.field("card"));
    isOfACard(pay.field("cards").element());
    isOfACard(pay.field("named").field("any"));
    isOfACard(pay.field("maybe"));
    isOfACard(pay.field("pair").field("right"));
    isOfACard(pay.field("payment").field("card"));
    assertThat(pay.field("payment").field("amount").isSecret()).isFalse();
    Sensitivity tree = of("grow-tree", 1).field("tree");
    assertThat(tree.field("leaf").isAll()).isTrue();
    Sensitivity below = tree.field("below").element().field("below").element();
    assertThat(below.field("leaf").isAll()).isTrue();
    assertThat(below.isAll()).isFalse();
  }

  @Test
  void aSensitiveFieldIsFoundUnderItsNameInJson() {
    Sensitivity pay = of("pay", 1);
    assertThat(pay.field("iban-of").isAll()).isTrue();
    assertThat(pay.field("iban").isAll()).as("a name that is not known").isTrue();
  }

  @Test
  void aRecordThatIsWrittenAsOneValueIsSensitiveIfSomethingInItIs() {
    Sensitivity pay = of("pay", 1);
    assertThat(pay.field("pin").isSecret()).isTrue();
    assertThat(pay.field("card").element().isAll()).as("or as a list").isTrue();
  }

  @Test
  void ofAnotherVersionOrAFormerNameAllIs() {
    assertThat(of("renamed", 2).isAll()).isFalse();
    assertThat(of("renamed", 2).field("secret").isAll()).isTrue();
    assertThat(of("renamed", 1).isAll()).isTrue();
    assertThat(of("renamed", 3).isAll()).isTrue();
    assertThat(of("old-name", 1).isAll()).isTrue();
  }

  @Test
  void ofWhatIsNotKnownOrHasNothingSensitiveNothingIs() {
    assertThat(of("nobody-knows-it", 1)).isSameAs(Sensitivity.UNKNOWN);
    assertThat(Sensitivity.UNKNOWN.isUnknown()).isTrue();
    assertThat(Sensitivity.UNKNOWN.isAll()).isFalse();
    assertThat(Sensitivity.UNKNOWN.isSecret()).isFalse();
    assertThat(Sensitivity.UNKNOWN.field("any").isSecret()).isFalse();
    assertThat(Sensitivity.UNKNOWN.element().isSecret()).isFalse();
    assertThat(of("pay", 1).isUnknown()).isFalse();
    assertThat(of("plain-one", 1).isUnknown()).isFalse();
    assertThat(of("plain-one", 1)).isSameAs(Sensitivity.NONE);
    assertThat(of("plain-one", 7)).isSameAs(Sensitivity.NONE);
  }

  @Test
  void ofAParkedDeliveryItIsThatOfTheMessageInIt() {
    String body = "{\"number\":7,\"to\":\"/till\",\"type\":\"pay\",\"version\":1,\"body\":{}}";
    Sensitivity delivery =
        Sensitivity.of(
            new MessageType(ParkedDelivery.TYPE, 1),
            Json.parse("a delivery", body.getBytes(StandardCharsets.UTF_8)));
    isOfACard(delivery.field("body").field("card"));
    assertThat(delivery.field("to").isSecret()).isFalse();
    assertThat(Sensitivity.of(new MessageType(ParkedDelivery.TYPE, 1), NOTHING))
        .isSameAs(Sensitivity.UNKNOWN);
  }

  @Test
  void namesOfJsonAreThoseThatAreWritten() {
    JsonNode written =
        Json.uncheckedTree(
            new Pay(
                "1",
                Map.of(),
                new Card("a", "b"),
                List.of(),
                Map.of(),
                Optional.empty(),
                new Pair<>(new Card("a", "b"), new Card("a", "b")),
                new Pin("1"),
                new ByCash(2),
                "DE"));
    assertThat(written.has("iban-of")).isTrue();
    assertThat(written.path("pin").isTextual()).isTrue();
  }
}
