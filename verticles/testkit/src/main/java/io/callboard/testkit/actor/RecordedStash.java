package io.callboard.testkit.actor;

import io.callboard.CallboardException;
import io.callboard.StashView;
import java.util.List;

/** A tested actor's view of its stash, which records the messages that it discards. */
record RecordedStash(StashView<Object> real, Recording recording) implements StashView<Object> {
  @Override
  public int size() {
    return real.size();
  }

  @Override
  public int capacity() {
    return real.capacity();
  }

  @Override
  public List<Object> messages() {
    return real.messages();
  }

  @Override
  public int clear(CallboardException why) {
    int cleared = real.clear(why);
    recording.cleared(cleared);
    return cleared;
  }
}
