package io.callboard;

import io.callboard.codecs.ActorPath;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Locale;

/**
 * Stand-in for an actor that was deployed like a plain verticle: spawns its class under
 * supervision, and stops the spawned actor with itself. It handles no messages.
 */
final class Guardian {
  private final Vertx vertx;
  private final Class<?> type;
  private final JsonObject config;
  private final String path;

  Guardian(Vertx vertx, Actor<?> actor, JsonObject config) {
    this.vertx = vertx;
    this.type = actor.getClass();
    this.config = own(config);
    Object given = this.config.remove("path");
    this.path =
        ActorPath.of(given == null ? kebab(type.getSimpleName()) : String.valueOf(given))
            .toString();
  }

  private static JsonObject own(JsonObject config) {
    Object own = config.getValue("actor");
    if (own != null && !(own instanceof JsonObject)) {
      throw new IllegalArgumentException(
          "\"actor\" takes an object of actor options, such as {\"zone\":\"blocking\"}, not %.60s"
              .formatted(own));
    }
    return own == null ? new JsonObject() : ((JsonObject) own).copy();
  }

  Future<?> start() {
    Constructor<?> constructor;
    try {
      constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
    } catch (NoSuchMethodException e) {
      return Future.failedFuture(
          new IllegalArgumentException(
              type.getName() + " needs a constructor without parameters to be deployed by name",
              e));
    }
    return Callboard.of(vertx).spawn(path, () -> create(constructor), ActorOptions.of(config));
  }

  Future<?> stop() {
    return Callboard.find(vertx)
        .map(callboard -> callboard.stop(path))
        .orElseGet(Future::succeededFuture);
  }

  @SuppressWarnings("unchecked")
  private static Actor<Object> create(Constructor<?> constructor) {
    try {
      return (Actor<Object>) constructor.newInstance();
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          constructor.getDeclaringClass().getName() + " could not be constructed", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          constructor.getDeclaringClass().getName() + " could not be constructed", e);
    }
  }

  private static String kebab(String camel) {
    return camel.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
  }
}
