package io.callboard.bootstrap;

import io.callboard.Actor;
import io.vertx.core.Deployable;
import io.vertx.core.Promise;
import io.vertx.core.spi.VerticleFactory;
import java.lang.reflect.Constructor;
import java.util.concurrent.Callable;

/**
 * Verticle factory for {@code actor:<class>}: deploys an actor with the options of its
 * configuration's {@code "actor"} ({@code path, zone, mailboxLimit…}, see {@link
 * io.callboard.ActorOptions#of}). A class that is no actor is refused by name.
 */
public final class ActorVerticleFactory implements VerticleFactory {
  @Override
  public String prefix() {
    return "actor";
  }

  @Override
  public void createVerticle2(
      String verticle, ClassLoader loader, Promise<Callable<? extends Deployable>> promise) {
    String name = VerticleFactory.removePrefix(verticle);
    try {
      Class<?> type = loader.loadClass(name);
      if (!Actor.class.isAssignableFrom(type)) {
        promise.fail(
            new IllegalArgumentException(
                "%s is not an actor: it must extend %s".formatted(name, Actor.class.getName())));
        return;
      }
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      promise.complete(() -> (Deployable) constructor.newInstance());
    } catch (ClassNotFoundException e) {
      promise.fail(
          new IllegalArgumentException(
              "there is no class %s on the class path; add its jar with -cp".formatted(name), e));
    } catch (NoSuchMethodException e) {
      promise.fail(
          new IllegalArgumentException(name + " needs a constructor without parameters", e));
    }
  }
}
