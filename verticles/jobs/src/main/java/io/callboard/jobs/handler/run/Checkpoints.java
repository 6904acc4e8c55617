package io.callboard.jobs.handler.run;

import io.callboard.codecs.Json;
import io.callboard.jobs.files.RunFiles;
import io.callboard.jobs.model.FileContent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checkpoints of handlers, as they are kept and given to the next run. */
public final class Checkpoints {
  private Checkpoints() {}

  /**
   * Returns a checkpoint as it is kept.
   *
   * @throws IllegalArgumentException if it is over 64 KiB as JSON
   * @throws io.callboard.codecs.CodecException if it cannot be read back
   */
  public static FileContent written(Object state) {
    byte[] json = Json.bytes(state);
    if (json.length > RunFiles.MOST_BYTES) {
      throw new IllegalArgumentException(
          "the checkpoint has %,d bytes as JSON, the limit is %,d: keep large data elsewhere and save a reference"
              .formatted(json.length, RunFiles.MOST_BYTES));
    }
    return FileContent.of(json);
  }

  /**
   * Returns a checkpoint as the handler asks for it.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be read as that type
   */
  public static <C> Optional<C> read(String job, @Nullable FileContent kept, Class<C> type) {
    return Optional.ofNullable(kept)
        .map(content -> Json.read("the checkpoint of job " + job, content.bytes(), type));
  }
}
