package io.callboard.workflows.internal.retention;

import io.callboard.workflows.internal.index.EndedInstance;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;

/** Place to which ended instances go before they are removed. Used by one pass after another. */
public interface EndedArchive {
  /** No archive: what is removed is gone. */
  EndedArchive NONE =
      new EndedArchive() {
        @Override
        public Future<Set<EndedInstance>> write(List<EndedInstance> instances) {
          return Future.succeededFuture(Set.copyOf(instances));
        }

        @Override
        public Future<Boolean> tidy() {
          return Future.succeededFuture(false);
        }
      };

  /**
   * Writes instances; completes with those that may be removed now. Fails if the archive does not
   * answer; then none may.
   */
  Future<Set<EndedInstance>> write(List<EndedInstance> instances);

  /**
   * Deletes some rows that are beyond the retention of the archive; completes with whether there
   * may be more. Called in each pass.
   */
  Future<Boolean> tidy();
}
