package io.callboard.dashboard.internal.rest;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.internal.text.Utf8;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.Fault;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.DefinitionReader;
import io.callboard.workflows.definition.DefinitionWriter;
import io.callboard.workflows.definition.PlacedDefect;
import io.callboard.workflows.graph.GraphDefect;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Body of a request that stores a definition, in JSON or YAML. Pure. */
final class DefinitionBody {
  /** Maximum number of defects that are reported; a last fault says how many there are more. */
  private static final int MOST_FAULTS = 1_000;

  private DefinitionBody() {}

  /**
   * Returns the definition.
   *
   * @throws ProblemException of kind {@code MALFORMED} if it is no JSON or YAML, of kind {@code
   *     INVALID} with all its defects
   */
  static CheckedDefinition read(Call call, String name) {
    String type = call.context().request().getHeader("Content-Type");
    boolean yaml = type != null && type.toLowerCase(Locale.ROOT).startsWith("application/yaml");
    String text = text(call.bytes());
    if (text.isBlank()) {
      throw ProblemException.malformed(List.of(new Fault("", "the body is empty")));
    }
    DefinitionReader.Result read = yaml ? DefinitionReader.yaml(text) : DefinitionReader.json(text);
    List<Fault> faults = faults(read, name);
    if (!read.wellFormed()) {
      throw ProblemException.malformed(faults);
    } else if (!faults.isEmpty()) {
      throw ProblemException.invalid(faults);
    }
    CheckedDefinition definition = read.definition().orElseThrow();
    MaskedValueCheck.check("", DefinitionWriter.json(definition.definition()));
    return definition;
  }

  /**
   * Returns all defects of a definition for a name; an unnamed definition already has the defect of
   * its name.
   */
  static List<Fault> faults(DefinitionReader.Result read, String name) {
    List<Fault> faults = new ArrayList<>();
    if (!read.name().isEmpty() && !read.name().equals(name)) {
      faults.add(
          new Fault(
              "/name", "is \"%.100s\", but the path names \"%s\"".formatted(read.name(), name)));
    }
    List<PlacedDefect> defects = read.defects();
    defects.stream().limit(MOST_FAULTS).forEach(each -> faults.add(fault(each)));
    if (defects.size() > MOST_FAULTS) {
      faults.add(new Fault("", "and %,d more".formatted(defects.size() - MOST_FAULTS)));
    }
    return faults;
  }

  private static String text(byte[] bytes) {
    try {
      return Utf8.text("the body", bytes);
    } catch (CodecException e) {
      throw ProblemException.malformed(List.of(new Fault("", String.valueOf(e.getMessage()))));
    }
  }

  private static Fault fault(PlacedDefect placed) {
    GraphDefect defect = placed.defect();
    return new Fault(
        defect.pointer().equals("/") ? "" : defect.pointer(),
        "%s (line %d, column %d)".formatted(sentence(defect), placed.line(), placed.column()),
        defect.code().name());
  }

  /** Returns a defect as a sentence, with the remedy. */
  static String sentence(GraphDefect defect) {
    return defect.hint().isEmpty()
        ? defect.message()
        : "%s; %s".formatted(defect.message(), defect.hint());
  }
}
