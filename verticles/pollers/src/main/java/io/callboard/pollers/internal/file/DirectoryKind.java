package io.callboard.pollers.internal.file;

import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContext;
import io.callboard.pollers.source.SourceKind;
import io.callboard.time.Time;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.UUID;

/**
 * Kind {@code directory}: the files of a directory, which several nodes may share.
 *
 * <p>Settings:
 *
 * <ul>
 *   <li>{@code path}: the directory, absolute; it must exist, so that a file system that is not
 *       mounted is a failure and not an empty source
 *   <li>{@code glob}: pattern of the files' names, or with {@code recursive} of their relative
 *       paths; default {@code *}, or {@code **}
 *   <li>{@code recursive}: whether files of directories below are taken too; default false
 *   <li>{@code settle}: time for which a file must not have changed, PT0S to PT1H, default PT2S;
 *       PT0S if files are only renamed into the directory
 *   <li>{@code lease}: PT5S to PT1H, default PT30S
 *   <li>{@code maxSize}: largest file in bytes, up to 64 MiB, default 1 MiB; a larger one is set
 *       aside
 *   <li>{@code done}: {@code delete}, the default, or {@code keep}: what is completed stays in
 *       {@code .callboard/done} until an operator deletes it
 *   <li>{@code emitTo}: absolute directory that has the directories that can be emitted to; without
 *       it nothing can
 * </ul>
 *
 * <p>The body of a message is the content of the file; headers are {@code name}, {@code path}
 * (relative), {@code size} and {@code modified}. What is set aside is in {@code .callboard/dead}.
 * An emitted message becomes a file that is named by its id, with percent signs for what a file's
 * name cannot have, or by a hash of an id that is too long; a file has no headers, so they are not
 * written.
 */
public final class DirectoryKind implements SourceKind {
  /** Creates the kind. */
  public DirectoryKind() {}

  @Override
  public String name() {
    return "directory";
  }

  @Override
  public Optional<String> artifact() {
    return Optional.empty();
  }

  @Override
  public void check(JsonObject settings) {
    var unused = DirectorySettings.of(settings);
  }

  @Override
  public boolean sends(JsonObject settings) {
    return DirectorySettings.of(settings).emitTo().isPresent();
  }

  @Override
  public Source create(SourceContext its) {
    String client = UUID.randomUUID().toString().substring(0, 18);
    return new DirectorySource(
        its.vertx(), its.name(), client, DirectorySettings.of(its.settings()), Time.SYSTEM);
  }
}
