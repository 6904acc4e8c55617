package io.callboard.chaos.sources;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;

/** Queue of another system with articles, as those see it who send to it and look at it. */
interface ArticleQueue extends AutoCloseable {
  /** Returns the name of its kind, which is that of its source, too. */
  String kind();

  /** Returns the letter with which the ids of its articles begin. */
  String letter();

  /** Returns the settings of its source. */
  JsonObject settings();

  /**
   * Sends an article; sending it again is the same message.
   *
   * @throws Exception if it is not known whether it is durable there
   */
  void send(String article) throws Exception;

  /** Returns the number of articles that wait or are taken. */
  long waiting() throws Exception;

  /** Returns articles that wait or are taken, some if there are many. */
  List<String> left() throws Exception;

  /** Returns the ids of the articles that were set aside. */
  Set<String> dead() throws Exception;

  @Override
  void close() throws Exception;
}
