package io.callboard.workflows.internal.actor;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.DefinitionReader;
import io.callboard.workflows.definition.PlacedDefect;
import io.callboard.workflows.internal.protocol.DefinitionAnswer;
import io.callboard.workflows.internal.protocol.DefinitionText;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Reader of what the actor of a definition has stored. Pure. */
public final class StoredDefinition {
  /** Maximum number of defects that are named. */
  private static final int MOST_NAMED = 3;

  private StoredDefinition() {}

  /**
   * Returns the definition of a version. Takes some time for a large one.
   *
   * @throws UnreadableDefinition if this node cannot read it
   */
  public static CheckedDefinition read(String name, DefinitionAnswer.Is is) {
    JsonNode stored = Objects.requireNonNull(is.definition(), "the answer has no definition");
    DefinitionReader.Result read;
    try {
      read = DefinitionReader.stored(DefinitionText.unpack(stored));
    } catch (UncheckedIOException | IllegalArgumentException e) {
      throw new UnreadableDefinition(name, is, String.valueOf(e.getMessage()));
    }
    return read.definition()
        .orElseThrow(() -> new UnreadableDefinition(name, is, text(read.defects())));
  }

  private static String text(List<PlacedDefect> defects) {
    String named =
        defects.stream()
            .limit(MOST_NAMED)
            .map(each -> each.defect().toString())
            .collect(Collectors.joining("; "));
    return defects.size() > MOST_NAMED
        ? "%s; and %,d more".formatted(named, defects.size() - MOST_NAMED)
        : named;
  }
}
