package io.callboard.workflows.internal.actor;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Durable actor that has the names of all definitions. */
public final class DefinitionNames
    extends DurableStateActor<DefinitionNames.Command, DefinitionNames.Names> {
  /** Path prefix of the actor. */
  public static final String PREFIX = "/workflows/names";

  /** Path of the actor. */
  public static final String PATH = PREFIX + "/all";

  /** Maximum number of names; a new definition beyond is refused before it is stored. */
  public static final int MOST = 5_000;

  /** Commands of the actor. */
  public sealed interface Command {
    /**
     * Adds a name.
     *
     * @param name name of a definition
     */
    record Add(String name) implements Command {}

    /** Asks for all names; answered with them. */
    record All() implements Command {}
  }

  /**
   * Names of definitions.
   *
   * @param names the names, sorted
   */
  public record Names(List<String> names) {
    /** Copies the list. */
    public Names {
      names = List.copyOf(names);
    }
  }

  @Override
  protected Names initial() {
    return new Names(List.of());
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.message(Command.Add.class, this::add).query(Command.All.class, all -> state());
  }

  private void add(Command.Add add) {
    SortedSet<String> names = new TreeSet<>(state().names());
    if (names.add(add.name())) {
      update(new Names(List.copyOf(names)));
    }
  }
}
