package io.callboard.zookeeper.internal.layout;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.store.Formats;
import io.callboard.store.StoreException;
import io.callboard.zookeeper.internal.client.Handle;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Format and identity of a cell, fixed when it is made, as stored in {@code /fmt}.
 *
 * @param f the format that the cell is written in
 * @param partitions of each space
 * @param cellId distinguishes a cell from another of the same name that was there before
 * @param minReader the lowest format that a node must know to use the cell; null for {@code f}
 */
public record CellFormat(int f, int partitions, String cellId, @Nullable Integer minReader) {
  /** Format that this software writes. */
  public static final int FORMAT = 1;

  /** Partitions of each space in a new cell. */
  public static final int DEFAULT_PARTITIONS = 64;

  /**
   * Creates the cell if it is new; refuses one of a newer format before anything is written. Znodes
   * that an older version did not create are added.
   */
  public static Future<CellFormat> open(Handle handle, Layout layout) {
    return handle
        .get(layout.format())
        .compose(
            found -> found.isPresent() ? Future.succeededFuture(found) : create(handle, layout))
        .map(
            found -> {
              String what = "znode " + layout.format();
              Handle.Node node =
                  found.orElseThrow(() -> StoreException.corrupt(what + " has vanished"));
              return decode(what, node.data());
            })
        .compose(format -> complete(handle, layout).map(format));
  }

  /** Adds the znodes that a cell of an earlier version lacks. */
  private static Future<Void> complete(Handle handle, Layout layout) {
    List<Future<Void>> made = new ArrayList<>();
    for (String top : Layout.LATER) {
      made.add(handle.ensure(layout.top(top), new byte[0]));
    }
    return Future.all(made).mapEmpty();
  }

  /**
   * Decodes the format; checks its number first, since the other fields may differ in a newer one.
   *
   * @param what names the znode in errors
   * @throws StoreException of kind {@code CORRUPT} if this node must not use the cell
   */
  public static CellFormat decode(String what, byte[] data) {
    JsonNode tree = Json.parse(what, data);
    int written = tree.path("f").asInt();
    int needed = tree.path("minReader").asInt(written);
    boolean readable = needed <= FORMAT;
    Formats.check(what, readable ? Math.min(written, needed) : Math.max(written, needed), FORMAT);
    CellFormat format = Json.convert(what, tree, CellFormat.class);
    if (format.partitions < 1) {
      throw StoreException.corrupt("%s has %d partitions".formatted(what, format.partitions));
    }
    return format;
  }

  private static Future<Optional<Handle.Node>> create(Handle handle, Layout layout) {
    List<String> parents = new ArrayList<>();
    for (int slash = layout.root().indexOf('/', 1);
        slash > 0;
        slash = layout.root().indexOf('/', slash + 1)) {
      parents.add(layout.root().substring(0, slash));
    }
    parents.add(layout.root());
    Layout.TOP.forEach(name -> parents.add(layout.top(name)));
    Future<Void> made = Future.succeededFuture();
    for (String parent : parents) {
      made = made.compose(before -> handle.ensure(parent, new byte[0]));
    }
    byte[] born =
        Json.bytes(
            new CellFormat(FORMAT, DEFAULT_PARTITIONS, UUID.randomUUID().toString(), FORMAT));
    // last: a node that sees it sees the rest
    return made.compose(before -> handle.ensure(layout.format(), born))
        .compose(before -> handle.get(layout.format()));
  }
}
