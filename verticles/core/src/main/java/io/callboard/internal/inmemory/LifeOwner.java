package io.callboard.internal.inmemory;

import io.callboard.internal.lifecycle.ContextOwner;

/** Owner of the lives of a volatile actor, and of their contexts. */
public interface LifeOwner extends ContextOwner {
  /** Looks for messages to handle: some were unstashed while none was being handled. */
  void wake();
}
