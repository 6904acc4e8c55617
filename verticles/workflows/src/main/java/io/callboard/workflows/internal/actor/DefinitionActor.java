package io.callboard.workflows.internal.actor;

import io.callboard.CallboardException;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.workflows.internal.protocol.DefinitionAnswer;
import io.callboard.workflows.internal.protocol.DefinitionCommand;
import io.callboard.workflows.internal.protocol.DefinitionData;
import io.callboard.workflows.internal.protocol.DefinitionData.Version;
import io.callboard.workflows.internal.protocol.DefinitionEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Durable actor of one definition, with all its versions and which one is current. */
public final class DefinitionActor
    extends PersistentActor<DefinitionCommand, DefinitionEvent, DefinitionData> {
  /** Path prefix of the actors of definitions. */
  public static final String PREFIX = "/workflows/d";

  /** Maximum number of versions of a definition. */
  public static final int MOST_VERSIONS = 500;

  /** Maximum size of all versions of a definition, as they are stored. */
  static final long MOST_STORED = 15L << 20;

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

  /** Refuses to restore an earlier state: instances run versions that would be gone. */
  @Override
  protected DefinitionData restored(DefinitionData data, long event, long last) {
    throw new CallboardException(
        CallboardException.Code.CONFLICT,
        "%s is not restored: instances may run versions that were stored after event %d; store the earlier text again, and its version is the current one"
            .formatted(path(), event));
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
      long stored = state().stored();
      if (stored > MOST_STORED) {
        reply(
            new DefinitionAnswer.Full(
                "the versions of the definition have %,d bytes as they are stored; the limit is %,d: give the next one another name"
                    .formatted(stored, MOST_STORED)));
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
    state()
        .version(put.version())
        .ifPresent(it -> reply(answer(it, put.version(), known.isEmpty())));
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
