package io.callboard.examples.documents;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.util.IntsRefBuilder;
import org.apache.lucene.util.fst.FST;
import org.apache.lucene.util.fst.FSTCompiler;
import org.apache.lucene.util.fst.PositiveIntOutputs;
import org.apache.lucene.util.fst.Util;

/**
 * Step {@code entities}: finds the names of a list in a text. The list is one of Lucene's finite
 * state transducers, which Lucene's jar has anyway; a statistical tagger would add a model of many
 * megabytes for each language. Thread-safe.
 */
public final class Gazetteer {
  private static final char SPACE = ' ';

  /** Analyzer, which is never closed; each thread has its own parts of it. */
  private static final Analyzer ANALYZER = new StandardAnalyzer();

  private static final Comparator<Mention> MOST_FREQUENT =
      Comparator.comparingInt(Mention::count).reversed().thenComparing(Mention::name);

  private final List<Entity> entities;
  private final FST<Long> names;

  /**
   * Entity of the list.
   *
   * @param name its name
   * @param kind its kind, such as place
   */
  record Entity(String name, String kind) {}

  /**
   * Entity in a text.
   *
   * @param name its name
   * @param kind its kind
   * @param count how often it is there
   */
  public record Mention(String name, String kind, int count) {}

  /** Match of a name, from a word on. */
  private record Match(int words, int entity) {}

  private Gazetteer(List<Entity> entities, FST<Long> names) {
    this.entities = entities;
    this.names = names;
  }

  /** Returns the list of the example. Blocks shortly. */
  public static Gazetteer bundled() {
    List<Entity> entities = new ArrayList<>();
    try (InputStream in = Gazetteer.class.getResourceAsStream("entities.tsv")) {
      if (in == null) {
        throw new IllegalStateException("entities.tsv is missing");
      }
      BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      lines
          .lines()
          .map(line -> line.split("\t"))
          .forEach(parts -> entities.add(new Entity(parts[0], parts[1])));
      return of(entities);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a list of entities; of two with the same words the first counts. */
  static Gazetteer of(List<Entity> entities) throws IOException {
    Map<String, Integer> byName = new TreeMap<>();
    for (int i = 0; i < entities.size(); i++) {
      byName.putIfAbsent(String.join(" ", words(entities.get(i).name())), i);
    }
    FSTCompiler<Long> compiler =
        new FSTCompiler.Builder<>(FST.INPUT_TYPE.BYTE2, PositiveIntOutputs.getSingleton()).build();
    IntsRefBuilder key = new IntsRefBuilder();
    for (Map.Entry<String, Integer> each : byName.entrySet()) {
      compiler.add(Util.toUTF16(each.getKey(), key), Long.valueOf(each.getValue()));
    }
    return new Gazetteer(
        List.copyOf(entities), FST.fromFSTReader(compiler.compile(), compiler.getFSTReader()));
  }

  /** Returns the entities of a text, the most frequent first, then by name. */
  public List<Mention> find(String text) throws IOException {
    List<String> words = words(text);
    int[] counts = new int[entities.size()];
    for (int at = 0; at < words.size(); ) {
      Optional<Match> match = longest(words, at);
      match.ifPresent(found -> counts[found.entity()]++);
      at += match.map(Match::words).orElse(1);
    }
    List<Mention> found = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        found.add(new Mention(entities.get(i).name(), entities.get(i).kind(), counts[i]));
      }
    }
    found.sort(MOST_FREQUENT);
    return found;
  }

  /** Returns the longest name that begins with a word. */
  private Optional<Match> longest(List<String> words, int from) throws IOException {
    FST.BytesReader reader = names.getBytesReader();
    FST.Arc<Long> arc = names.getFirstArc(new FST.Arc<>());
    long output = 0;
    Optional<Match> longest = Optional.empty();
    for (int at = from; at < words.size(); at++) {
      String word = at == from ? words.get(at) : SPACE + words.get(at);
      for (int i = 0; i < word.length(); i++) {
        if (names.findTargetArc(word.charAt(i), arc, arc, reader) == null) {
          return longest;
        }
        output += arc.output();
      }
      if (arc.isFinal()) {
        longest = Optional.of(new Match(at - from + 1, (int) (output + arc.nextFinalOutput())));
      }
    }
    return longest;
  }

  /** Returns the words of a text; an apostrophe ends one, as in French and Italian. */
  private static List<String> words(String text) throws IOException {
    List<String> words = new ArrayList<>();
    String apart = text.replaceAll("['\u2019]", " ");
    try (TokenStream tokens = ANALYZER.tokenStream("text", apart)) {
      CharTermAttribute word = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        words.add(word.toString());
      }
      tokens.end();
    }
    return words;
  }
}
