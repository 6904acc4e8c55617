package io.callboard.admin;

/** What an actor is that guards another: its status says how. Read from any thread. */
public interface Guarding {
  GuardStatus guard();
}
