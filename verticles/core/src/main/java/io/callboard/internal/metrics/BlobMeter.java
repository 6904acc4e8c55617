package io.callboard.internal.metrics;

import io.callboard.admin.BlobCounts;
import io.callboard.admin.BlobCounts.Moved;
import java.util.concurrent.atomic.LongAdder;

/** Counters behind {@link BlobCounts}; written and read on any thread. */
public final class BlobMeter {
  private final Flow written = new Flow();
  private final Flow fetched = new Flow();
  private final Flow deleted = new Flow();
  private final Flow forsaken = new Flow();
  private final LongAdder fetchFailures = new LongAdder();

  private record Flow(LongAdder count, LongAdder bytes) {
    Flow() {
      this(new LongAdder(), new LongAdder());
    }

    void add(int size) {
      count.increment();
      bytes.add(size);
    }

    Moved snapshot() {
      return new Moved(count.sum(), bytes.sum());
    }
  }

  public void written(int bytes) {
    written.add(bytes);
  }

  public void fetched(int bytes) {
    fetched.add(bytes);
  }

  public void fetchFailed() {
    fetchFailures.increment();
  }

  /** Counts a blob that an applied commit removed. */
  public void deleted(int bytes) {
    deleted.add(bytes);
  }

  public void forsaken(int bytes) {
    forsaken.add(bytes);
  }

  public BlobCounts snapshot() {
    return new BlobCounts(
        written.snapshot(),
        fetched.snapshot(),
        deleted.snapshot(),
        forsaken.snapshot(),
        fetchFailures.sum());
  }
}
