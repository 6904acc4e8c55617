package io.callboard.jobs.internal.archiving;

import io.callboard.jobs.model.ArchiveStatus;

/** Commands of the {@link Archivist}. */
public sealed interface ArchivistCommand {
  /** Asks how far it is; answered with an {@link ArchiveStatus}. */
  record Look() implements ArchivistCommand {}
}
