package io.callboard.chaos.sources;

import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContext;
import io.callboard.pollers.source.SourceKind;
import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Kind of source with a mistake in its deliveries, to check that the verdict reports it.
 *
 * @param kind the kind without it
 * @param mistake changes what was polled, with the source from which it is
 */
record SeededKind(
    SourceKind kind, BiFunction<Source, List<SourceMessage>, Future<List<SourceMessage>>> mistake)
    implements SourceKind {
  @Override
  public String name() {
    return kind.name();
  }

  @Override
  public Optional<String> artifact() {
    return kind.artifact();
  }

  @Override
  public void check(JsonObject settings) {
    kind.check(settings);
  }

  @Override
  public boolean sends(JsonObject settings) {
    return kind.sends(settings);
  }

  @Override
  public Duration patience() {
    return kind.patience();
  }

  @Override
  public Source create(SourceContext its) {
    Source source = kind.create(its);
    return (Source)
        Proxy.newProxyInstance(
            Source.class.getClassLoader(),
            new Class<?>[] {Source.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("poll")) {
                return source
                    .poll((Integer) arguments[0])
                    .compose(messages -> mistake.apply(source, messages));
              }
              try {
                return method.invoke(source, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
