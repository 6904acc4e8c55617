package io.callboard.codecs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The stable name and version under which a message, event or state is stored and sent. Without it
 * the name is the class's simple name in kebab case ({@code FooBar} → {@code foo-bar}), version 1.
 *
 * <p>What needs a new version: a field that goes, is renamed, changes its type or must now be
 * there. Each version has its {@link Upcast}. What needs none: a new field that is {@code Nullable}
 * ({@link Nullability}); nodes that do not know it pass over it. Any other field that a stored
 * message lacks refuses it, and so does null in its place. A node that is older than a message's
 * version refuses it: a durable actor parks it, to be replayed when the node is new. So while nodes
 * of two versions run, let no actor send what the older ones do not know.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Named {
  /** Logical name; empty, the default, for the name derived from the class. */
  String value() default "";

  /** Grows with each incompatible change. */
  int version() default 1;

  /** Names it had before, of which some may still be stored. Its versions go on counting. */
  String[] formerly() default {};
}
