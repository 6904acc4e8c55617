package io.callboard.internal.activation;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.codecs.ActorPath;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Declaration that this node hosts the actors below a path, which are started by their mail.
 *
 * @param protocol the protocol of the factory's actors
 */
record HostDeclaration(
    ActorPath prefix,
    Supplier<? extends Actor<?>> factory,
    Class<?> protocol,
    ActorOptions options) {
  boolean covers(ActorPath path) {
    return path.isWithin(prefix) && !path.equals(prefix);
  }

  /** Host declarations of this node; the first that covers a path counts. Any thread. */
  static final class All {
    private final List<HostDeclaration> declared = new CopyOnWriteArrayList<>();

    void add(HostDeclaration one) {
      declared.add(one);
    }

    Optional<HostDeclaration> of(ActorPath path) {
      return declared.stream().filter(candidate -> candidate.covers(path)).findFirst();
    }

    /**
     * Returns a sample object of the class hosted at that path, to read its protocol; null if none
     * is hosted, or it is not to be reached over the event bus.
     */
    @Nullable Actor<?> probe(ActorPath path) {
      return of(path)
          .filter(candidate -> candidate.options().onBus())
          .<Actor<?>>map(candidate -> candidate.factory().get())
          .orElse(null);
    }
  }
}
