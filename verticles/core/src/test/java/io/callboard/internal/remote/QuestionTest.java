package io.callboard.internal.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.Json;
import io.callboard.internal.remote.Question.What;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Questions as nodes of this and of other versions send them. */
class QuestionTest {
  private static String sent(Question question) {
    return new String(Json.bytes(question), StandardCharsets.UTF_8);
  }

  private static Question read(String json) {
    return Question.read(json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aQuestionThatOlderNodesKnowIsSentAsTheySendIt() {
    assertThat(sent(Question.of(What.FIND, "/shop", "a")))
        .isEqualTo("{\"f\":1,\"what\":\"find\",\"path\":\"/shop\",\"by\":\"a\"}");
  }

  @Test
  void theQuestionOfAnOlderNodeIsRead() {
    Question read = read("{\"f\":1,\"what\":\"roll_up\",\"by\":\"a\"}");
    assertThat(read.asked()).isEqualTo(What.ROLL_UP);
    assertThat(read.zones()).isNull();
  }

  @Test
  void childrenOfZonesAreAskedForWithTheirNumberOfRows() {
    String sent = sent(Question.contents(List.of("/shop", "/shop/store"), 50, "a"));
    assertThat(sent)
        .isEqualTo(
            "{\"f\":1,\"what\":\"contents\",\"by\":\"a\",\"zones\":[\"/shop\",\"/shop/store\"],\"most\":50}");
    Question read = read(sent);
    assertThat(read.asked()).isEqualTo(What.CONTENTS);
    assertThat(read.wanted())
        .isEqualTo(new ContentsReadings.Wanted(List.of("/shop", "/shop/store"), 50));
  }

  @Test
  void noOrTooManyZonesAndRowsAreRefused() {
    for (Question wrong :
        List.of(
            Question.of(What.CONTENTS, "/shop", "a"),
            Question.contents(List.of(), 50, "a"),
            Question.contents(Collections.nCopies(21, "/shop"), 50, "a"),
            Question.contents(Collections.singletonList(null), 50, "a"))) {
      assertThatThrownBy(wrong::wanted)
          .hasMessage("the question \"contents\" must name 1 to 20 failure zones");
    }
    for (int most : List.of(0, 101)) {
      assertThatThrownBy(() -> Question.contents(List.of("/shop"), most, "a").wanted())
          .hasMessage("the question \"contents\" must ask for 1 to 100 rows of each failure zone");
    }
  }

  @Test
  void theOrderInWhichZonesWereOpenedMakesNoOtherSet() {
    assertThat(Question.contents(List.of("/b", "/a", "/b"), 50, "a").wanted())
        .isEqualTo(Question.contents(List.of("/a", "/b"), 50, "c").wanted());
  }

  @Test
  void asManyZonesAsMayBeAskedForHaveRoomWithLongPaths() {
    List<String> zones =
        IntStream.range(0, 20).mapToObj(i -> "/" + "x".repeat(197) + (10 + i)).toList();
    String sent = sent(Question.contents(zones, 100, "n".repeat(63)));
    assertThat(sent.length()).isGreaterThan(4_096);
    assertThat(read(sent).wanted().zones()).isEqualTo(zones);
    assertThatThrownBy(() -> read(" ".repeat(8_193)))
        .hasMessage("a question has 8193 bytes, of at most 8192");
  }

  @Test
  void questionsOfOpenViewsAreNotCountedAsThoseOfAnOperator() {
    assertThat(What.values())
        .filteredOn(What::isShared)
        .containsExactlyInAnyOrder(What.ROLL_UP, What.CONTENTS);
  }
}
