package io.callboard.testkit;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import java.lang.reflect.Proxy;

/** The Callboard of a tested actor: it has refs, and says of all else that it needs a node. */
final class TestedNode {
  private TestedNode() {}

  static Callboard of(TestedContext speaker) {
    return (Callboard)
        Proxy.newProxyInstance(
            Callboard.class.getClassLoader(),
            new Class<?>[] {Callboard.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "ref" -> ref(arguments, false, speaker);
                  case "durableRef" -> ref(arguments, true, speaker);
                  case "node" -> "tested";
                  case "toString" -> "the Callboard of a tested actor";
                  default ->
                      throw new UnsupportedOperationException(
                          ("Callboard.%s needs a node, which a tested actor has not: test this"
                                  + " with CallboardExtension")
                              .formatted(method.getName()));
                });
  }

  private static TestedRef<?> ref(Object[] arguments, boolean durable, TestedContext speaker) {
    return new TestedRef<>(ActorPath.of((String) arguments[0]), durable, () -> speaker);
  }
}
