package io.callboard.workflows.actor;

import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.Json;
import io.callboard.workflows.protocol.DefinitionAnswer;
import io.callboard.workflows.protocol.DefinitionCommand;
import io.callboard.workflows.protocol.DefinitionData;
import io.callboard.workflows.protocol.DefinitionData.Version;
import io.callboard.workflows.protocol.DefinitionEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Durable actor of one definition: all its versions, of which one is current. */
public final class DefinitionActor
    extends PersistentActor<DefinitionCommand, DefinitionEvent, DefinitionData> {
  /** Path prefix of the actors of definitions. */
  public static final String PREFIX = "/workflows/d";

  /** Maximum size of a definition as canonical JSON. */
  public static final int MOST_BYTES = 768 * 1024;

  /** Maximum number of versions of a definition. */
  public static final int MOST_VERSIONS = 500;

  /** Returns the path of the actor of that definition. */
  public static String path(String name) {
    return PREFIX + "/" + name;
  }

  @Override
  protected DefinitionData initial() {
    return DefinitionData.NONE;
  }

  @Override
  protected DefinitionData apply(DefinitionData data, DefinitionEvent event) {
    return data.after(event);
  }

  @Override
  protected void protocol(Protocol<DefinitionCommand> on) {
    on.message(DefinitionCommand.Put.class, this::put)
        .query(DefinitionCommand.Read.class, this::read)
        .query(DefinitionCommand.ReadAll.class, all -> all());
  }

  private void put(DefinitionCommand.Put put) {
    Optional<Version> known = state().version(put.version());
    if (known.isEmpty()) {
      int bytes = Json.uncheckedBytes(put.definition()).length;
      if (bytes > MOST_BYTES) {
        reply(
            new DefinitionAnswer.Full(
                "the definition has %,d bytes as JSON; the limit is %,d: split it into sub-workflows"
                    .formatted(bytes, MOST_BYTES)));
        return;
      } else if (state().versions().size() >= MOST_VERSIONS) {
        reply(
            new DefinitionAnswer.Full(
                "the definition has %,d versions, which is the limit: give the next one another name"
                    .formatted(MOST_VERSIONS)));
        return;
      }
      if (state().versions().isEmpty()) {
        tell(
            callboard().durableRef(DefinitionNames.PATH, DefinitionNames.Command.class),
            new DefinitionNames.Command.Add(path().name()));
      }
      persist(new DefinitionEvent.Stored(put.version(), put.definition(), put.at()));
    } else if (!put.version().equals(state().current())) {
      persist(new DefinitionEvent.MadeCurrent(put.version(), put.at()));
    }
    state().version(put.version()).ifPresent(it -> reply(answer(it, null, known.isEmpty())));
  }

  private DefinitionAnswer read(DefinitionCommand.Read read) {
    return state()
        .version(read.version() == null ? state().current() : read.version())
        .<DefinitionAnswer>map(it -> answer(it, read.known(), false))
        .orElseGet(DefinitionAnswer.Missing::new);
  }

  private DefinitionAnswer all() {
    List<DefinitionAnswer.Is> all = new ArrayList<>();
    for (Version each : state().versions()) {
      all.add(0, answer(each, null, false)); // the newest first
    }
    all.sort(Comparator.comparing(each -> !each.version().equals(state().current())));
    return new DefinitionAnswer.All(all);
  }

  private static DefinitionAnswer.Is answer(Version it, @Nullable String known, boolean isNew) {
    return new DefinitionAnswer.Is(
        it.version(), it.version().equals(known) ? null : it.definition(), it.createdAt(), isNew);
  }
}
