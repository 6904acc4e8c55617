package io.callboard.examples.search;

import java.nio.file.Path;

/**
 * Replicated tree of the search. Its nodes are spread over the members (the processes of the
 * search), those of the next tree one member further, so that a lost member leaves each share with
 * one of the trees.
 *
 * @param number number of the tree, from 0
 * @param shares number of its nodes, each with one share of the documents
 * @param data directory below which each node has its index
 */
record Tree(String name, int number, int shares, Path data) {
  /** The path of the outer failure zone. */
  static final String ROOT = "/search";

  /** Returns the path of a member's {@code number}-th front end. */
  static String front(int member, int number) {
    return "%s/front/%d-%d".formatted(ROOT, member, number);
  }

  /** Returns the path of the tree's failure zone. */
  String path() {
    return "%s/%s".formatted(ROOT, name);
  }

  /** Returns the name of the tree's scheduling zone. */
  String threads() {
    return "tree-" + name;
  }

  /** Returns the path of a member's head: each member has one, for its front ends. */
  String head(int member) {
    return "%s/heads/%d".formatted(path(), member);
  }

  /** Returns the path of a node, the same wherever it runs. */
  String node(int share) {
    return "%s/nodes/%d".formatted(path(), share);
  }

  /** Returns the member that runs the node of that share. */
  int memberOf(int share, int members) {
    return (share + number) % members;
  }

  Path directory(int share) {
    return data.resolve(name).resolve(String.valueOf(share));
  }
}
