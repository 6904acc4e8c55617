package io.callboard.dashboard.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.codecs.redaction.Sensitive;
import io.callboard.codecs.redaction.Sensitivity;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MaskedJsonTest {
  private static final String WHOLE =
      "{'user':'ann','password':'s3','keys':['a'],'env':{'HOME':'/x','N':1},"
          + "'db':{'credentials':{'user':'u','pin':7,'none':null}},"
          + "'command':['run','--token','s3','x'],'n':1.50,'url':'https://a:s3@b/'}";

  private static JsonNode json(String text) {
    return Json.parse("a test", text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void onlyFieldsThatANameCallsASecretAreMasked() {
    assertThat(MaskedJson.of(json(WHOLE)))
        .isEqualTo(
            json(
                "{'user':'ann','password':'[masked]','keys':['a'],"
                    + "'env':{'HOME':'[masked]','N':'[masked]'},"
                    + "'db':{'credentials':{'user':'[masked]','pin':'[masked]','none':null}},"
                    + "'command':['run','--token','[masked]','x'],'n':1.50,"
                    + "'url':'https://a:[masked]@b/'}"));
    assertThat(MaskedJson.of(json("[1,'a',true,null]"))).isEqualTo(json("[1,'a',true,null]"));
  }

  @Test
  void aFieldThatWasLeftMaskedKeepsItsValue() {
    JsonNode whole = json(WHOLE);
    assertThat(MaskedJson.restored(MaskedJson.of(whole), whole)).isEqualTo(whole);
    JsonNode edited = json(MaskedJson.of(whole).toString().replace("ann", "bea"));
    assertThat(MaskedJson.restored(edited, whole)).isEqualTo(json(WHOLE.replace("ann", "bea")));
  }

  record Note(@Sensitive Object within, String text, Inner inner) {}

  record Inner(@Sensitive int pin) {}

  @Test
  void aFieldThatItsTypeCallsSensitiveIsMaskedToo() {
    ProtocolCodec.check(Note.class);
    Sensitivity sensitivity =
        Sensitivity.of(MessageType.of(Note.class), JsonNodeFactory.instance.objectNode());
    JsonNode whole =
        json(
            "{'within':{'command':['a'],'n':[1,null]},'text':'a','inner':{'pin':7},"
                + "'password':'s3'}");
    JsonNode masked = MaskedJson.of(whole, sensitivity);
    assertThat(masked)
        .isEqualTo(
            json(
                "{'within':'[masked]','text':'a',"
                    + "'inner':{'pin':'[masked]'},'password':'[masked]'}"));
    assertThat(MaskedJson.restored(masked, whole, sensitivity)).isEqualTo(whole);
    JsonNode edited = ((ObjectNode) masked.deepCopy()).put("text", "b");
    assertThat(MaskedJson.restored(edited, whole, sensitivity))
        .isEqualTo(((ObjectNode) whole.deepCopy()).put("text", "b"));
    assertThat(MaskedJson.of(json("7"), Sensitivity.ALL)).isEqualTo(json("'[masked]'"));
  }

  record Keyed(@Sensitive Map<String, Integer> ibans, String text, Map<String, Keyed> env) {}

  @Test
  void aSensitiveMapIsMaskedWithItsNamesAndItsLength() {
    ProtocolCodec.check(Keyed.class);
    Sensitivity sensitivity =
        Sensitivity.of(MessageType.of(Keyed.class), JsonNodeFactory.instance.objectNode());
    JsonNode whole = json("{'ibans':{'DE89':1},'text':'a','env':{'a':{'ibans':{'DE89':1}}}}");
    JsonNode masked = MaskedJson.of(whole, sensitivity);
    assertThat(masked)
        .isEqualTo(json("{'ibans':'[masked]','text':'a','env':{'a':{'ibans':'[masked]'}}}"));
    JsonNode edited = ((ObjectNode) masked.deepCopy()).put("text", "b");
    assertThat(MaskedJson.restored(edited, whole, sensitivity))
        .isEqualTo(((ObjectNode) whole.deepCopy()).put("text", "b"));
    assertThat(MaskedJson.of(whole, Sensitivity.ALL)).isEqualTo(json("'[masked]'"));
    assertThat(MaskedJson.restored(json("'[masked]'"), whole, Sensitivity.ALL)).isEqualTo(whole);
    assertThat(MaskedJson.of(json("null"), Sensitivity.ALL)).isEqualTo(json("null"));
  }

  @Test
  void anElementOfAListKeepsItsOwnSecretWhereverItIsPut() {
    JsonNode both = json("[{'n':'a','password':'1'},{'n':'b','password':'2'}]");
    JsonNode b = json("[{'n':'b','password':'[masked]'}]");
    assertThat(MaskedJson.restored(b, both)).isEqualTo(json("[{'n':'b','password':'2'}]"));
    JsonNode swapped = json("[{'n':'b','password':'[masked]'},{'n':'a','password':'[masked]'}]");
    assertThat(MaskedJson.restored(swapped, both))
        .isEqualTo(json("[{'n':'b','password':'2'},{'n':'a','password':'1'}]"));
    JsonNode edited = json("[{'n':'a','password':'[masked]'},{'n':'c','password':'[masked]'}]");
    assertThat(MaskedJson.restored(edited, both))
        .isEqualTo(json("[{'n':'a','password':'1'},{'n':'c','password':'2'}]"));
    JsonNode unclear = json("[{'n':'c','password':'[masked]'}]");
    assertThat(MaskedJson.place(MaskedJson.restored(unclear, both))).contains("/0/password");
    JsonNode same = json("[{'password':'1'},{'password':'2'}]");
    assertThat(MaskedJson.place(MaskedJson.restored(json("[{'password':'[masked]'}]"), same)))
        .contains("/0/password");
  }

  @Test
  void aListInPlaceOfAnObjectAndALongListAreRestored() {
    JsonNode original = json("{'a':{'x':1},'password':'p'}");
    assertThat(MaskedJson.restored(json("{'a':[1],'password':'[masked]'}"), original))
        .isEqualTo(json("{'a':[1],'password':'p'}"));
    ArrayNode many = JsonNodeFactory.instance.arrayNode();
    IntStream.range(0, 100_000).forEach(many::add);
    ArrayNode edited = many.deepCopy();
    edited.set(5, TextNode.valueOf("five"));
    assertThat(MaskedJson.restored(edited, many)).isEqualTo(edited);
  }

  @Test
  void aMaskInTheOriginalItselfStandsForNothing() {
    JsonNode original = json("{'error':'bad --token [masked]','n':1}");
    JsonNode edited = json("{'error':'bad --token [masked]','n':2}");
    assertThat(MaskedJson.place(MaskedJson.restored(edited, original), original)).isEmpty();
  }

  @Test
  void aMaskThatStandsForNoSecretOfTheOriginalIsFound() {
    JsonNode edited = json("{'a/b':[1,{'password':'[masked]'}],'password':'[masked]'}");
    JsonNode restored = MaskedJson.restored(edited, json("{'password':'s3'}"));
    assertThat(restored.path("password").asText()).isEqualTo("s3");
    assertThat(MaskedJson.place(restored)).contains("/a~1b/1/password");
    assertThat(MaskedJson.place(json(WHOLE))).isEmpty();
  }
}
