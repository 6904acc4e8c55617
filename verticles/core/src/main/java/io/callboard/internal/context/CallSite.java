package io.callboard.internal.context;

import java.util.Optional;

/** Finder of the line of the program that has called this node. */
public final class CallSite {
  private static final String IMPLEMENTATION = "io.callboard.internal.";
  private static final String NODE = "io.callboard.Callboard";

  private CallSite() {}

  /** Returns the line that called the node on this thread; empty if none is known. */
  public static Optional<StackTraceElement> find() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(
                        frame ->
                            !frame.getClassName().startsWith(IMPLEMENTATION)
                                && !frame.getClassName().equals(NODE))
                    .findFirst()
                    .map(StackWalker.StackFrame::toStackTraceElement));
  }
}
