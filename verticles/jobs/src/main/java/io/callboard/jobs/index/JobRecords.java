package io.callboard.jobs.index;

import io.callboard.jobs.actor.JobActor;
import io.callboard.store.StoreException;
import io.callboard.store.StoredActor;

/** What is read of the stored records of jobs. */
final class JobRecords {
  private JobRecords() {}

  /**
   * Returns the state of a job's actor.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be read
   */
  static JobActor.Slot slot(StoredActor actor) {
    return actor.record().state(JobActor.Slot.class).orElse(JobActor.Slot.EMPTY);
  }

  /** Returns whether a failure shows that a record is damaged. */
  static boolean isDamage(Throwable cause) {
    return cause instanceof StoreException failure && failure.kind() == StoreException.Kind.CORRUPT;
  }
}
