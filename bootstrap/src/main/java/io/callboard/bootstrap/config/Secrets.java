package io.callboard.bootstrap.config;

import java.io.Console;
import java.util.Optional;

/** Secrets that a person types, unseen. */
public final class Secrets {
  private Secrets() {}

  /** Asks for a secret; empty if there is no terminal. Blocks. */
  public static Optional<String> asked(String prompt) {
    Console terminal = System.console();
    char[] typed = terminal == null ? null : terminal.readPassword("%s", prompt);
    return typed == null ? Optional.empty() : Optional.of(new String(typed));
  }
}
