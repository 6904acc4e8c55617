package io.callboard.zookeeper;

import io.callboard.codecs.Json;
import io.callboard.store.Formats;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a cell is from its birth on, as stored in {@code /fmt}.
 *
 * @param partitions of each space
 * @param cellId tells a cell from another of the same name that was there before
 */
record CellFormat(int f, int partitions, String cellId) {
  static final int FORMAT = 1;
  static final int DEFAULT_PARTITIONS = 64;

  /** Makes the cell if it is new; refuses one of a newer format, before anything is written. */
  static Future<CellFormat> open(Handle handle, Layout layout) {
    return handle
        .get(layout.format())
        .compose(
            found -> found.isPresent() ? Future.succeededFuture(found) : create(handle, layout))
        .map(
            found -> {
              String what = "znode " + layout.format();
              Handle.Node node =
                  found.orElseThrow(() -> StoreException.corrupt(what + " has vanished"));
              CellFormat format = Json.read(what, node.data(), CellFormat.class);
              Formats.check(what, format.f(), FORMAT);
              return format;
            });
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
        Json.bytes(new CellFormat(FORMAT, DEFAULT_PARTITIONS, UUID.randomUUID().toString()));
    // last: whoever sees it sees the rest
    return made.compose(before -> handle.ensure(layout.format(), born))
        .compose(before -> handle.get(layout.format()));
  }
}
