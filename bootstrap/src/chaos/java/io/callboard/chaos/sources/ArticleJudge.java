package io.callboard.chaos.sources;

import io.callboard.chaos.runs.RunJudge.Finding;
import io.callboard.chaos.runs.RunJudge.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Judge of articles by what their steps wrote, and by what is left in their source.
 *
 * <p>What must be true: every article that was sent is in the index, under one key; one that cannot
 * be read is set aside instead; nothing else is set aside, nothing is in the index that was not
 * sent, and nothing waits.
 */
public final class ArticleJudge {
  private final Articles articles;
  private final Map<String, Set<String>> keys = new TreeMap<>();
  private final Map<String, Integer> runs = new TreeMap<>();
  private final Set<String> keysOfSteps = new HashSet<>();
  private final List<Finding> findings = new ArrayList<>();

  /**
   * Results of a source.
   *
   * @param findings every violation
   * @param indexed number of articles in the index
   * @param runs number of runs by step
   * @param again number of those that repeated one under its key
   */
  public record Result(List<Finding> findings, int indexed, Map<String, Integer> runs, int again) {
    /** Copies the collections. */
    public Result {
      findings = List.copyOf(findings);
      runs = new TreeMap<>(runs);
    }
  }

  private ArticleJudge(Articles articles) {
    this.articles = articles;
  }

  /**
   * Judges a source.
   *
   * @param articles what was sent to it
   * @param lines what the steps of its articles wrote, in any order
   * @param left what waits in it or is taken from it, in words
   * @param dead ids of the articles that were set aside
   */
  public static Result judge(
      Articles articles, List<ArticleLine> lines, List<String> left, Set<String> dead) {
    ArticleJudge judge = new ArticleJudge(articles);
    lines.forEach(judge::add);
    articles.accepted().forEach(judge::accepted);
    judge.keys.forEach(judge::indexed);
    judge.dead(dead);
    left.forEach(each -> judge.found(Kind.STUCK, "%s is left in the source", each));
    int all = judge.runs.values().stream().mapToInt(Integer::intValue).sum();
    return new Result(
        judge.findings, judge.keys.size(), judge.runs, all - judge.keysOfSteps.size());
  }

  private void found(Kind kind, String what, Object... of) {
    findings.add(new Finding(kind, what.formatted(of)));
  }

  private void add(ArticleLine line) {
    int unused = runs.merge(line.step(), 1, Integer::sum);
    boolean news = keysOfSteps.add(line.key());
    if (news && line.isIndexed()) {
      var added = keys.computeIfAbsent(line.article(), id -> new TreeSet<>()).add(line.key());
    }
  }

  private void accepted(String article) {
    if (!Articles.isPoison(article) && !keys.containsKey(article)) {
      found(Kind.LOST, "article %s was sent and is not in the index", article);
    }
  }

  private void indexed(String article, Set<String> under) {
    if (under.size() > 1) {
      found(Kind.DUPLICATED, "article %s is in the index under %s", article, under);
    }
    boolean sent = articles.accepted().contains(article) || articles.unknown().contains(article);
    if (!sent || Articles.isPoison(article)) {
      found(Kind.DUPLICATED, "article %s is in the index, and nobody sent it", article);
    }
  }

  private void dead(Set<String> dead) {
    for (String article : dead) {
      if (!Articles.isPoison(article)) {
        found(Kind.LOST, "article %s was set aside", article);
      }
    }
    for (String article : articles.accepted()) {
      if (Articles.isPoison(article) && !dead.contains(article)) {
        found(Kind.LOST, "article %s cannot be read, and was not set aside", article);
      }
    }
  }
}
