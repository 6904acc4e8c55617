package io.callboard.jobs.internal.archiving;

import io.callboard.jobs.model.ArchiveStatus;

/** Commands of the {@link Archivist}. */
public sealed interface ArchivistCommand {
  /** Asks for the progress of the archivist; answered with an {@link ArchiveStatus}. */
  record Look() implements ArchivistCommand {}
}
