package io.callboard.pollers.model;

/** Format of the body of a message. */
public enum BodyFormat {
  /** A JSON value. */
  JSON,
  /** Text in UTF-8, which becomes a JSON string. */
  TEXT
}
