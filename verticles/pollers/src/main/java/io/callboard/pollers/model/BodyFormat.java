package io.callboard.pollers.model;

/** How the body of a message is read. */
public enum BodyFormat {
  /** A JSON value. */
  JSON,
  /** Text in UTF-8, which becomes a JSON string. */
  TEXT
}
