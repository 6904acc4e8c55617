package io.callboard.dashboard.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import java.nio.charset.StandardCharsets;
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
  void whatANameCallsASecretIsMaskedAndNothingElse() {
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
  void whatWasLeftMaskedIsWhatItWas() {
    JsonNode whole = json(WHOLE);
    assertThat(MaskedJson.restored(MaskedJson.of(whole), whole)).isEqualTo(whole);
    JsonNode edited = json(MaskedJson.of(whole).toString().replace("ann", "bea"));
    assertThat(MaskedJson.restored(edited, whole)).isEqualTo(json(WHOLE.replace("ann", "bea")));
  }

  @Test
  void whatStandsForNoSecretOfTheOriginalIsFound() {
    JsonNode edited = json("{'a/b':[1,{'password':'[masked]'}],'password':'[masked]'}");
    JsonNode restored = MaskedJson.restored(edited, json("{'password':'s3'}"));
    assertThat(restored.path("password").asText()).isEqualTo("s3");
    assertThat(MaskedJson.place(restored)).contains("/a~1b/1/password");
    assertThat(MaskedJson.place(json(WHOLE))).isEmpty();
  }
}
