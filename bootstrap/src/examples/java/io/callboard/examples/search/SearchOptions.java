package io.callboard.examples.search;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Options of the search. Setters change and return this object. */
@com.google.errorprone.annotations.CheckReturnValue
public final class SearchOptions {
  private static final int MAX_NODES = 64;
  private static final int MAX_DOCUMENTS = 1_000_000;

  private final Path data;
  private @Nullable Path documents;
  private int most = 20_000;
  private int nodes = 4;
  private int fronts = 2;
  private String host = "127.0.0.1";
  private int port;
  private int member;
  private int members = 1;
  private boolean chaos;
  private @Nullable Duration killEvery;
  private int treeRestarts = 10;
  private Duration treeWindow = Duration.ofSeconds(10);

  /**
   * Creates default options.
   *
   * @param data directory in which the indexes are kept
   */
  public SearchOptions(Path data) {
    this.data = data;
  }

  public Path data() {
    return data;
  }

  /** Returns the directory whose text is searched; empty for the text found on this machine. */
  public Optional<Path> documents() {
    return Optional.ofNullable(documents);
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public SearchOptions documents(@Nullable Path directory) {
    documents = directory;
    return this;
  }

  /** Documents at most, default 20,000. */
  public int most() {
    return most;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public SearchOptions most(int count) {
    most = within("documents", count, MAX_DOCUMENTS);
    return this;
  }

  /** Nodes of each tree, default 4. */
  public int nodes() {
    return nodes;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public SearchOptions nodes(int count) {
    nodes = within("nodes", count, MAX_NODES);
    return this;
  }

  /** Returns the two trees. */
  List<Tree> trees() {
    return List.of(new Tree("a", 0, nodes, data), new Tree("b", 1, nodes, data));
  }

  /** Returns the number of this member, from 0; default 0 of 1. */
  public int member() {
    return member;
  }

  /** Returns the number of members of the search. */
  public int members() {
    return members;
  }

  /**
   * Spreads the trees over the nodes of a cell: this one is member {@code number} of {@code of},
   * and has its part of each tree, heads and front ends. All members need the same documents.
   */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public SearchOptions member(int number, int of) {
    members = within("members", of, MAX_NODES);
    if (number < 0 || number >= of) {
      throw new IllegalArgumentException(
          "a member is 0 to %d of %d, not %d".formatted(of - 1, of, number));
    }
    member = number;
    return this;
  }

  /** Returns the number of front ends, each on an event loop of its own; default 2. */
  public int fronts() {
    return fronts;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public SearchOptions fronts(int count) {
    fronts = within("fronts", count, MAX_NODES);
    return this;
  }

  /** Returns the HTTP address, default 127.0.0.1 and any free port. */
  public String host() {
    return host;
  }

  public int port() {
    return port;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public SearchOptions port(int number) {
    if (number < 0 || number > 65_535) {
      throw new IllegalArgumentException("a port is 0 to 65535, not " + number);
    }
    port = number;
    return this;
  }

  /** Returns whether a node may be killed over HTTP, default false. */
  public boolean chaos() {
    return chaos;
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public SearchOptions chaos(boolean allowed) {
    chaos = allowed;
    return this;
  }

  /** Returns the interval at which a random node, head or gatherer is killed; empty for never. */
  public Optional<Duration> killEvery() {
    return Optional.ofNullable(killEvery);
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public SearchOptions killEvery(@Nullable Duration period) {
    if (period != null && period.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("killEvery must be at least 1 ms, not " + period);
    }
    killEvery = period;
    return this;
  }

  /** Returns whether this member runs the node of that share. */
  boolean isHere(Tree tree, int share) {
    return tree.memberOf(share, members) == member;
  }

  /** Restarts of a tree's actors within {@link #treeWindow()}; one more restarts the tree. */
  public int treeRestarts() {
    return treeRestarts;
  }

  public Duration treeWindow() {
    return treeWindow;
  }

  /** Sets the restarts allowed in a tree, default 10 within 10 s. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public SearchOptions treeIntensity(int restarts, Duration window) {
    treeRestarts = within("treeRestarts", restarts, Integer.MAX_VALUE);
    treeWindow = window;
    return this;
  }

  private static int within(String name, int value, int max) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException("%s are 1 to %d, not %d".formatted(name, max, value));
    }
    return value;
  }
}
