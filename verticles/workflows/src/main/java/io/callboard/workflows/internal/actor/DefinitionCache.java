package io.callboard.workflows.internal.actor;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.codecs.BoundedMap;
import io.callboard.time.Time;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.InputSchema;
import io.callboard.workflows.internal.instance.StepInputs;
import io.callboard.workflows.internal.protocol.DefinitionAnswer;
import io.callboard.workflows.internal.protocol.DefinitionCommand;
import io.callboard.workflows.internal.protocol.DefinitionText;
import io.callboard.workflows.merge.Merger;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Definitions that this node has read, by name and version; the least recently used are dropped.
 * Thread-safe.
 */
public final class DefinitionCache {
  /** Maximum number of versions that are kept. */
  public static final int MOST_KEPT = 256;

  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  private final Callboard callboard;
  private final Duration timeout;
  private final Map<String, Merger> mergers;
  private final Map<String, String> current = new ConcurrentHashMap<>();
  private final Map<String, LoadedDefinition> kept =
      Collections.synchronizedMap(BoundedMap.ofRecent(MOST_KEPT));

  /**
   * Creates an empty cache.
   *
   * @param timeout longest wait for the actor of a definition
   * @param mergers mergers of the application, by name
   */
  public DefinitionCache(Callboard callboard, Duration timeout, Map<String, Merger> mergers) {
    this.callboard = callboard;
    this.timeout = timeout;
    this.mergers = mergers;
  }

  /** Returns a name if a definition can have it; fails with {@code NOT_FOUND} for others. */
  public static Future<String> valid(String name) {
    return NAME.matcher(name).matches()
        ? Future.succeededFuture(name)
        : Future.failedFuture(
            new WorkflowException(
                Code.NOT_FOUND, "there is no definition \"%.100s\"".formatted(name)));
  }

  /** Returns what is kept of a version; empty if it has to be read. */
  public Optional<LoadedDefinition> kept(String name, String version) {
    return Optional.ofNullable(kept.get(key(name, version)));
  }

  /**
   * Completes with a version of a definition; fails with a {@link WorkflowException} of code {@code
   * NOT_FOUND} if there is none, an {@link UnreadableDefinition} if this node cannot read it.
   *
   * @param version the version; null for the current one, which is read each time
   */
  public Future<LoadedDefinition> load(String name, @Nullable String version) {
    LoadedDefinition known = version == null ? null : kept.get(key(name, version));
    if (known != null) {
      return Future.succeededFuture(known);
    }
    return valid(name).compose(valid -> read(valid, version));
  }

  /**
   * Completes like {@link #load}, but repeats failures until {@code limit} has passed, unless there
   * is no such version or this node cannot read it: the node of the definition may have just died.
   *
   * @param over whether nobody waits any more, so that it does not complete
   */
  public Future<LoadedDefinition> loadPatiently(
      String name, @Nullable String version, Duration limit, BooleanSupplier over) {
    Promise<LoadedDefinition> loaded = Promise.promise();
    Context context = callboard.vertx().getOrCreateContext();
    long endNs = callboard.time().nanoTime() + limit.toNanos();
    load(name, version, endNs, context, loaded, over);
    return loaded.future();
  }

  private void load(
      String name,
      @Nullable String version,
      long endNs,
      Context context,
      Promise<LoadedDefinition> loaded,
      BooleanSupplier over) {
    load(name, version)
        .onComplete(
            read -> {
              if (over.getAsBoolean()) {
                return;
              } else if (read.succeeded()) {
                loaded.complete(read.result());
              } else if (read.cause() instanceof WorkflowException
                  || read.cause() instanceof UnreadableDefinition
                  || callboard.time().nanoTime() - endNs >= 0) {
                loaded.fail(read.cause());
              } else {
                Time.Alarm unused =
                    callboard
                        .time()
                        .after(
                            context,
                            AGAIN,
                            () -> load(name, version, endNs, context, loaded, over));
              }
            });
  }

  private Future<LoadedDefinition> read(String name, @Nullable String version) {
    String last = current.get(name);
    LoadedDefinition had = last == null ? null : kept.get(key(name, last));
    return callboard
        .durableRef(DefinitionActor.path(name), DefinitionCommand.class)
        .ask(
            new DefinitionCommand.Read(version, had == null ? null : last),
            DefinitionAnswer.class,
            timeout)
        .recover(
            cause ->
                StartFailures.explain(
                    callboard, DefinitionActor.path(name), named(name, version), timeout, cause))
        .compose(
            answer -> {
              if (!(answer instanceof DefinitionAnswer.Is is)) {
                return Future.failedFuture(missing(name, version));
              }
              if (version == null) {
                current.put(name, is.version());
              }
              return is.definition() == null && had != null
                  ? Future.succeededFuture(had)
                  : keep(name, is);
            });
  }

  private static String named(String name, @Nullable String version) {
    return version == null
        ? "the definition " + name
        : "version %s of the definition %s".formatted(version, name);
  }

  private static WorkflowException missing(String name, @Nullable String version) {
    return new WorkflowException(
        Code.NOT_FOUND,
        version == null
            ? "there is no definition %s".formatted(name)
            : "there is no " + named(name, version));
  }

  private Future<LoadedDefinition> keep(String name, DefinitionAnswer.Is is) {
    JsonNode stored = is.definition();
    if (stored == null) {
      return Future.failedFuture(
          new IllegalStateException("the answer has no definition %s".formatted(name)));
    }
    Future<LoadedDefinition> loaded =
        DefinitionText.isLarge(stored)
            ? callboard.vertx().executeBlocking(() -> loaded(name, is), false)
            : Future.succeededFuture(is).map(small -> loaded(name, small));
    return loaded.onSuccess(its -> kept.put(key(name, is.version()), its));
  }

  private LoadedDefinition loaded(String name, DefinitionAnswer.Is is) {
    CheckedDefinition definition = StoredDefinition.read(name, is);
    JsonNode schema = definition.definition().input();
    return new LoadedDefinition(
        definition,
        new StepInputs(definition, mergers),
        schema == null ? null : new InputSchema(schema),
        is.createdAt());
  }

  private static String key(String name, String version) {
    return name + "@" + version;
  }
}
