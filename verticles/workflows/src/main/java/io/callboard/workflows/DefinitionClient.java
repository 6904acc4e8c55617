package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.DefinitionCheck;
import io.callboard.workflows.definition.DefinitionReader;
import io.callboard.workflows.definition.DefinitionWriter;
import io.callboard.workflows.definition.PlacedDefect;
import io.callboard.workflows.definition.WorkflowDefinition;
import io.callboard.workflows.internal.actor.DefinitionActor;
import io.callboard.workflows.internal.actor.DefinitionCache;
import io.callboard.workflows.internal.actor.DefinitionNames;
import io.callboard.workflows.internal.actor.LoadedDefinition;
import io.callboard.workflows.internal.actor.StartFailures;
import io.callboard.workflows.internal.actor.StoredDefinition;
import io.callboard.workflows.internal.actor.UnreadableDefinition;
import io.callboard.workflows.internal.protocol.DefinitionAnswer;
import io.callboard.workflows.internal.protocol.DefinitionCommand;
import io.callboard.workflows.internal.protocol.DefinitionText;
import io.callboard.workflows.model.DefinitionVersion;
import io.callboard.workflows.model.DefinitionVersions;
import io.callboard.workflows.model.InvalidWorkflow;
import io.callboard.workflows.model.UnreadableVersion;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Client of the actors of definitions, on whichever nodes they run. Thread-safe. */
final class DefinitionClient {
  /** Time for which a definition is read again if the cell does not answer. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Callboard callboard;
  private final DefinitionCache cache;

  DefinitionClient(Callboard callboard, DefinitionCache cache) {
    this.callboard = callboard;
    this.cache = cache;
  }

  /** Stores a definition and makes it the current version. */
  Future<DefinitionVersion> put(WorkflowDefinition definition) {
    return callboard
        .vertx()
        .executeBlocking(() -> command(definition), false) // a large one takes some time
        .compose(
            command ->
                hasRoom(definition.name())
                    .compose(v -> ask(definition.name(), command))
                    .compose(answer -> stored(definition, answer)));
  }

  /** Fails if a definition of a new name is one too many: one record has all names. */
  private Future<Void> hasRoom(String name) {
    return names()
        .compose(
            names ->
                names.size() < DefinitionNames.MOST || names.contains(name)
                    ? Future.succeededFuture()
                    : WorkflowFailures.fail(
                        Code.OVERLOADED,
                        "the cell has %,d definitions, which is the limit: give it the name of one of them"
                            .formatted(names.size())));
  }

  private DefinitionCommand command(WorkflowDefinition definition) {
    DefinitionCheck.Result result = DefinitionCheck.of(definition);
    CheckedDefinition checked =
        result.definition().orElseThrow(() -> new InvalidWorkflow(result.defects()));
    JsonNode packed;
    try {
      packed = DefinitionText.pack(DefinitionWriter.json(definition));
    } catch (IllegalArgumentException e) {
      throw new WorkflowException(Code.INVALID, String.valueOf(e.getMessage()));
    }
    checkReadable(packed);
    return new DefinitionCommand.Put(checked.version(), packed, callboard.time().clock().instant());
  }

  /** Refuses what no node would read again, like a text that is too long for a reader. */
  private static void checkReadable(JsonNode packed) {
    DefinitionReader.Result again = DefinitionReader.stored(DefinitionText.unpack(packed));
    if (again.definition().isEmpty()) {
      throw new InvalidWorkflow(again.defects().stream().map(PlacedDefect::defect).toList());
    }
  }

  private static Future<DefinitionVersion> stored(
      WorkflowDefinition definition, DefinitionAnswer answer) {
    if (answer instanceof DefinitionAnswer.Is is) {
      return Future.succeededFuture(
          new DefinitionVersion(
              definition.name(), is.version(), is.createdAt(), definition, is.isNew()));
    }
    return WorkflowFailures.fail(
        Code.OVERLOADED,
        answer instanceof DefinitionAnswer.Full full ? full.message() : String.valueOf(answer));
  }

  private Future<DefinitionAnswer> ask(String name, DefinitionCommand command) {
    return callboard
        .durableRef(DefinitionActor.path(name), DefinitionCommand.class)
        .ask(command, DefinitionAnswer.class, Workflows.ASK)
        .recover(
            cause ->
                StartFailures.explain(
                    callboard,
                    DefinitionActor.path(name),
                    "the definition " + name,
                    Workflows.ASK,
                    cause))
        .recover(WorkflowFailures::translate);
  }

  /** Returns a version; null for the current one. */
  Future<DefinitionVersion> get(String name, @Nullable String version) {
    return cache
        .load(name, version)
        .recover(WorkflowFailures::translate)
        .map(DefinitionClient::view);
  }

  /**
   * Completes with the version that takes an input; fails with {@code NOT_FOUND} if there is no
   * such version, {@code INVALID} if the input does not match its schema.
   *
   * @param version the version; null for the current one
   */
  Future<String> accepting(String name, @Nullable String version, JsonNode input) {
    return accepting(cache.load(name, version), input);
  }

  /** Completes like {@link #accepting}, but waits for a while if the cell does not answer. */
  Future<String> acceptingPatiently(String name, @Nullable String version, JsonNode input) {
    return accepting(cache.loadPatiently(name, version, PATIENCE, () -> false), input);
  }

  private Future<String> accepting(Future<LoadedDefinition> found, JsonNode input) {
    return found
        .compose(loaded -> loaded.accepts(input, callboard.vertx()))
        .map(loaded -> loaded.definition().version())
        .recover(WorkflowFailures::translate);
  }

  private static DefinitionVersion view(LoadedDefinition loaded) {
    CheckedDefinition definition = loaded.definition();
    return new DefinitionVersion(
        definition.definition().name(),
        definition.version(),
        loaded.createdAt(),
        definition.definition().copy(), // the node's own one stays as it is
        false);
  }

  /** Returns all versions, the current one first; fails with {@code NOT_FOUND} if there is none. */
  Future<DefinitionVersions> versions(String name) {
    return DefinitionCache.valid(name)
        .compose(valid -> ask(valid, new DefinitionCommand.ReadAll()))
        .compose(
            answer ->
                answer instanceof DefinitionAnswer.All all && !all.versions().isEmpty()
                    ? callboard.vertx().executeBlocking(() -> read(name, all), false)
                    : WorkflowFailures.fail(
                        Code.NOT_FOUND, "there is no definition %s".formatted(name)));
  }

  private static DefinitionVersions read(String name, DefinitionAnswer.All all) {
    List<DefinitionVersions> each = new ArrayList<>();
    for (DefinitionAnswer.Is is : all.versions()) {
      try {
        WorkflowDefinition definition = StoredDefinition.read(name, is).definition();
        each.add(
            read(new DefinitionVersion(name, is.version(), is.createdAt(), definition, false)));
      } catch (UnreadableDefinition e) {
        each.add(unreadable(e, each.isEmpty()));
      }
    }
    return DefinitionVersions.of(each);
  }

  private static DefinitionVersions read(DefinitionVersion version) {
    return new DefinitionVersions(List.of(version), List.of());
  }

  private static DefinitionVersions unreadable(UnreadableDefinition cause, boolean current) {
    return new DefinitionVersions(List.of(), List.of(cause.version(current)));
  }

  /** Returns the current versions of all definitions, by name; fails if all of them fail. */
  Future<DefinitionVersions> current() {
    return names()
        .compose(
            names -> {
              List<Future<DefinitionVersions>> all = names.stream().map(this::readCurrent).toList();
              return Future.join(all).transform(done -> current(names, all));
            });
  }

  private static Future<DefinitionVersions> current(
      List<String> names, List<Future<DefinitionVersions>> all) {
    if (!all.isEmpty() && all.stream().allMatch(Future::failed)) {
      return Future.failedFuture(all.get(0).cause());
    }
    List<DefinitionVersions> each = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      each.add(
          all.get(i).succeeded()
              ? all.get(i).result()
              : unanswered(names.get(i), all.get(i).cause()));
    }
    return Future.succeededFuture(DefinitionVersions.of(each));
  }

  private static DefinitionVersions unanswered(String name, Throwable cause) {
    String fault = String.valueOf(cause.getMessage());
    return new DefinitionVersions(
        List.of(), List.of(new UnreadableVersion(name, null, null, true, fault)));
  }

  private Future<DefinitionVersions> readCurrent(String name) {
    return cache
        .load(name, null)
        .map(loaded -> read(view(loaded)))
        .recover(
            cause ->
                cause instanceof UnreadableDefinition e
                    ? Future.succeededFuture(unreadable(e, true))
                    : WorkflowFailures.translate(cause));
  }

  /** Returns the names of all definitions, sorted. */
  Future<List<String>> names() {
    return callboard
        .durableRef(DefinitionNames.PATH, DefinitionNames.Command.class)
        .ask(new DefinitionNames.Command.All(), DefinitionNames.Names.class, Workflows.ASK)
        .map(DefinitionNames.Names::names)
        .recover(WorkflowFailures::translate);
  }
}
