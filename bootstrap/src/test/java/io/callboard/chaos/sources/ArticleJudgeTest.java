package io.callboard.chaos.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.chaos.runs.RunJudge.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArticleJudgeTest {
  private static final int ARTICLES = 200;

  private final Set<String> accepted =
      IntStream.range(0, ARTICLES).mapToObj(n -> "d" + n).collect(Collectors.toSet());
  private final Set<String> unknown = new TreeSet<>();
  private final List<ArticleLine> lines = new ArrayList<>();
  private final List<String> left = new ArrayList<>();
  private final Set<String> dead = new TreeSet<>();

  ArticleJudgeTest() {
    for (String article : accepted) {
      if (Articles.isPoison(article)) {
        dead.add(article);
      } else {
        indexed(article, "first");
      }
    }
  }

  private void indexed(String article, String instance) {
    for (String step : List.of("fetch", ArticleLine.INDEX)) {
      line(step, article, instance);
    }
  }

  private void line(String step, String article, String instance) {
    lines.add(
        new ArticleLine(step, article, "%s-%s/%s".formatted(article, instance, step), "node-1"));
  }

  private ArticleJudge.Result judge() {
    return ArticleJudge.judge(new Articles(accepted, unknown), lines, left, dead);
  }

  private void findsOnly(Kind kind, String what) {
    assertThat(judge().findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(kind);
              assertThat(finding.what()).contains(what);
            });
  }

  private String any(long seed) {
    List<String> readable = accepted.stream().filter(a -> !Articles.isPoison(a)).sorted().toList();
    return readable.get(new Random(seed).nextInt(readable.size()));
  }

  @Test
  void eachArticleOnceIsRight() {
    assertThat(judge().findings()).isEmpty();
    assertThat(judge().indexed()).isEqualTo(ARTICLES - dead.size());
    assertThat(dead).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aLostArticleIsFound(long seed) {
    String lost = any(seed);
    lines.removeIf(line -> line.isIndexed() && line.article().equals(lost));
    findsOnly(Kind.LOST, "article %s was sent and is not in the index".formatted(lost));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aDoubledArticleIsFound(long seed) {
    String doubled = any(seed);
    indexed(doubled, "second");
    findsOnly(Kind.DUPLICATED, "article %s is in the index under [".formatted(doubled));
  }

  @Test
  void stepsThatRanAgainAreCountedAndRight() {
    indexed("d1", "first");
    ArticleJudge.Result result = judge();
    assertThat(result.findings()).isEmpty();
    assertThat(result.again()).isEqualTo(2);
    assertThat(result.runs()).containsEntry(ArticleLine.INDEX, ARTICLES - dead.size() + 1);
  }

  @Test
  void aWorkflowThatFailedBeforeTheIndexIsRight() {
    line("fetch", "d1", "failed");
    assertThat(judge().findings()).isEmpty();
  }

  @Test
  void anArticleThatIsLeftOrSetAsideIsFound() {
    left.add("d3 in .");
    findsOnly(Kind.STUCK, "d3 in .");
    left.clear();
    dead.add("d5");
    findsOnly(Kind.LOST, "article d5 was set aside");
  }

  @Test
  void anUnreadableArticleMustBeSetAside() {
    String poison = dead.iterator().next();
    dead.remove(poison);
    findsOnly(Kind.LOST, poison + " cannot be read, and was not set aside");
    dead.add(poison);
    indexed(poison, "first");
    findsOnly(Kind.DUPLICATED, poison);
  }

  @Test
  void anArticleWithoutAnAnswerMayBeThereOrNot() {
    unknown.add("d998");
    unknown.add("d999");
    indexed("d999", "first");
    assertThat(judge().findings()).isEmpty();
    indexed("d1000", "first");
    findsOnly(Kind.DUPLICATED, "article d1000 is in the index, and nobody sent it");
  }

  @Test
  void aTornLineIsNone() {
    String whole = lines.get(0).text();
    assertThat(ArticleLine.parse(whole)).contains(lines.get(0));
    for (int end = 0; end < whole.length(); end++) {
      assertThat(ArticleLine.parse(whole.substring(0, end))).isEmpty();
    }
  }
}
