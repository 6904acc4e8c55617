package io.callboard.internal.activation;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.CallSite;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Declaration that this node hosts the actors below a path, which are started by their mail.
 *
 * @param protocol the protocol of the factory's actors
 * @param type the class of the factory's actors
 * @param place the line of the program that declares it, for errors
 */
public record HostDeclaration(
    ActorPath prefix,
    Supplier<? extends Actor<?>> factory,
    Class<?> protocol,
    Class<?> type,
    ActorOptions options,
    String place) {
  /**
   * Returns the declaration of the program that has called this node.
   *
   * @param probe an actor of the factory
   */
  public static HostDeclaration of(
      ActorPath prefix,
      Supplier<? extends Actor<?>> factory,
      Actor<?> probe,
      ActorOptions options) {
    String place = CallSite.find().map(StackTraceElement::toString).orElse("?");
    return new HostDeclaration(
        prefix, factory, probe.messageType(), probe.getClass(), options, place);
  }

  private String words() {
    return "%s at %s".formatted(type.getName(), place);
  }

  boolean covers(ActorPath path) {
    return path.isWithin(prefix) && !path.equals(prefix);
  }

  /** Host declarations of this node; the first that covers a path counts. Any thread. */
  static final class All {
    private final List<HostDeclaration> declared = new CopyOnWriteArrayList<>();

    /**
     * Adds a declaration. One of the same class may be repeated.
     *
     * @return why it is not added: another covers all of it, and is of another class
     */
    Optional<CallboardException> add(HostDeclaration one) {
      Optional<HostDeclaration> other =
          declared.stream()
              .filter(each -> one.prefix().isWithin(each.prefix()) && each.type() != one.type())
              .findFirst();
      if (other.isEmpty()) {
        declared.add(one);
      }
      return other.map(
          each ->
              new CallboardException(
                  Code.PATH_TAKEN,
                  "%s cannot be hosted as %s: %s is hosted as %s. Choose another prefix, or host a narrower prefix before the wider one"
                      .formatted(one.prefix(), one.words(), each.prefix(), each.words())));
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
