package io.callboard.examples.search;

/** Message that makes an actor of the search fail, to show what happens then. */
record Kill() implements FrontEnd.Message, Head.Message, Gatherer.Message, SearchNode.Message {
  /** Fails the handler that calls it. */
  void strike() {
    throw new IllegalStateException("killed on demand");
  }
}
