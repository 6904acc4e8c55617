package io.callboard.examples.documents;

import java.io.IOException;

/** Failure of a document that will never be read: its message says what is wrong with it. */
public final class UnreadableDocument extends IOException {
  private static final long serialVersionUID = 1;

  UnreadableDocument(String message) {
    super(message);
  }
}
