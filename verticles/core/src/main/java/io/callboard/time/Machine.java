package io.callboard.time;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A machine without I/O: plain code that takes the time, randomness and events as arguments and
 * returns decisions. It knows no Vert.x, no clock and no thread, which a test of the house guards,
 * so that it can be rehearsed by seed.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Machine {}
