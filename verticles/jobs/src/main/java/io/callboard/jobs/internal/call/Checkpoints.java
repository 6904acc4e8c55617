package io.callboard.jobs.internal.call;

import io.callboard.codecs.Json;
import io.callboard.jobs.internal.files.RunFiles;
import io.callboard.jobs.model.FileContent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checkpoints of handlers, as they are kept and given to the next run. */
public final class Checkpoints {
  private Checkpoints() {}

  /**
   * Returns the stored form of a checkpoint.
   *
   * @throws IllegalArgumentException if it is over 64 KiB as JSON
   * @throws io.callboard.codecs.CodecException if it cannot be read back
   */
  public static FileContent written(Object state) {
    return Json.data("the checkpoint", state, RunFiles.MOST_BYTES)
        .map(FileContent::of)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the checkpoint has more than %,d bytes as JSON: keep large data elsewhere and save a reference"
                        .formatted(RunFiles.MOST_BYTES)));
  }

  /**
   * Returns a stored checkpoint as a value of the type that the handler asks for.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be read as that type
   */
  public static <C> Optional<C> read(String job, @Nullable FileContent kept, Class<C> type) {
    return Optional.ofNullable(kept)
        .map(content -> Json.read("the checkpoint of job " + job, content.bytes(), type));
  }
}
