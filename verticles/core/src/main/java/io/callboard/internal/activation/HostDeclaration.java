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
 * What is hosted on this node: actors that their mail starts.
 *
 * @param protocol what the factory's actors understand
 */
record HostDeclaration(
    ActorPath prefix,
    Supplier<? extends Actor<?>> factory,
    Class<?> protocol,
    ActorOptions options) {
  boolean covers(ActorPath path) {
    return path.isWithin(prefix) && !path.equals(prefix);
  }

  /** All that this node hosts; the first that covers a path counts. Any thread. */
  static final class All {
    private final List<HostDeclaration> declared = new CopyOnWriteArrayList<>();

    void add(HostDeclaration one) {
      declared.add(one);
    }

    Optional<HostDeclaration> of(ActorPath path) {
      return declared.stream().filter(candidate -> candidate.covers(path)).findFirst();
    }

    /**
     * An object of the class that is hosted under that path, for what it understands; null if none
     * is, or it is not to be reached over the event bus.
     */
    @Nullable Actor<?> probe(ActorPath path) {
      return of(path)
          .filter(candidate -> candidate.options().onBus())
          .<Actor<?>>map(candidate -> candidate.factory().get())
          .orElse(null);
    }
  }
}
