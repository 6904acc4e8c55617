package io.callboard.codecs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The stable name and version under which a message, event or state is stored and sent. Without it
 * the name is the class's simple name in kebab case ({@code FooBar} → {@code foo-bar}), version 1.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Named {
  /** The logical name; empty for the default. */
  String value() default "";

  /** Grows with each incompatible change. */
  int version() default 1;
}
