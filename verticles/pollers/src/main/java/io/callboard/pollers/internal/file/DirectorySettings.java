package io.callboard.pollers.internal.file;

import io.callboard.pollers.source.Settings;
import io.vertx.core.json.JsonObject;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a directory, as {@link DirectoryKind} describes them.
 *
 * @param glob matches the relative path
 * @param maxSize largest file in bytes
 * @param keep whether what is completed is kept
 */
record DirectorySettings(
    Path path,
    Glob glob,
    boolean recursive,
    Duration settle,
    Duration lease,
    int maxSize,
    boolean keep,
    Optional<Path> emitTo) {
  private static final int MIB = 1024 * 1024;

  static DirectorySettings of(JsonObject json) {
    Settings settings = new Settings(json);
    boolean recursive = settings.flag("recursive").orElse(false);
    DirectorySettings read =
        new DirectorySettings(
            directory(settings, "path", settings.required("path")),
            glob(settings, recursive ? "**" : "*"),
            recursive,
            settings
                .duration("settle", Duration.ZERO, Duration.ofHours(1))
                .orElse(Duration.ofSeconds(2)),
            settings
                .duration("lease", Settings.SHORTEST_LEASE, Duration.ofHours(1))
                .orElse(Duration.ofSeconds(30)),
            settings.number("maxSize", 1, 64 * MIB).orElse(MIB),
            settings.word("done", List.of("delete", "keep")).orElse("delete").equals("keep"),
            settings.text("emitTo").map(text -> directory(settings, "emitTo", text)));
    settings.end();
    return read;
  }

  private static Path directory(Settings settings, String key, String text) {
    try {
      Path path = Path.of(text);
      if (path.isAbsolute() && path.equals(path.normalize())) {
        return path;
      } else if (path.isAbsolute()) {
        throw settings.refused(
            key,
            "\"%s\" has \".\" or \"..\" in it: \"%s\" is the same without"
                .formatted(text, path.normalize()));
      }
    } catch (InvalidPathException e) {
      throw settings.refused(key, "\"%s\" is no path: %s".formatted(key, e.getMessage()));
    }
    throw settings.refused(
        key, "\"%s\" is the absolute path of a directory, not \"%s\"".formatted(key, text));
  }

  private static Glob glob(Settings settings, String otherwise) {
    String glob = settings.text("glob").orElse(otherwise);
    try {
      return Glob.of(glob);
    } catch (IllegalArgumentException e) {
      throw settings.refused(
          "glob",
          "\"glob\" is a pattern as *.json, not \"%.100s\": %s".formatted(glob, e.getMessage()));
    }
  }
}
