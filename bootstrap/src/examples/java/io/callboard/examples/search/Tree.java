package io.callboard.examples.search;

import java.nio.file.Path;

/**
 * One of the replicated trees: what it is called, and where its parts are.
 *
 * @param shares how many nodes it has, each with one share of the documents
 * @param data below which each node has its index
 */
record Tree(String name, int shares, Path data) {
  private static final String ROOT = "/search";

  /** The path of the overseer of all trees. */
  static final String OVERSEER = ROOT + "/overseer";

  /** The path of the {@code number}-th front end. */
  static String front(int number) {
    return "%s/front/%d".formatted(ROOT, number);
  }

  /** Below which all actors of this tree are. */
  String path() {
    return "%s/trees/%s".formatted(ROOT, name);
  }

  String head() {
    return path() + "/head";
  }

  String node(int share) {
    return "%s/nodes/%d".formatted(path(), share);
  }

  String indexer(int share) {
    return "%s/indexers/%d".formatted(path(), share);
  }

  /** The name of a gatherer, below its head. */
  static String gatherer(String query, int attempt) {
    return "%s.%d".formatted(query, attempt);
  }

  boolean isGatherer(String actor) {
    return actor.startsWith(head() + "/");
  }

  boolean has(String actor) {
    return actor.startsWith(path() + "/");
  }

  Path directory(int share) {
    return data.resolve(name).resolve(String.valueOf(share));
  }
}
