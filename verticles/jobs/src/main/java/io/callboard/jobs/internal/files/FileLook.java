package io.callboard.jobs.internal.files;

import io.callboard.jobs.model.FileContent;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of a file of a run.
 *
 * @param stamp its identity; null if there is none
 * @param content what it contains; null if there is none, it is refused, or is the same as before
 * @param refusal why it is not kept, for people; null if it is
 */
public record FileLook(
    @Nullable FileStamp stamp, @Nullable FileContent content, @Nullable String refusal) {
  /** Look at no file. */
  public static final FileLook NONE = new FileLook(null, null, null);
}
