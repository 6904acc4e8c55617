package io.callboard.zookeeper.internal.client;

import io.callboard.store.StoreException;
import io.callboard.store.StoredRecord;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.ACL;

/**
 * Write of a znode of a known version. At {@link StoredRecord#LAST_VERSION} the znode is deleted
 * and created again in one multi, so that its versions begin again with 0 long before they reach a
 * value that matches any version. The next version is {@link StoredRecord#following}.
 */
public final class VersionedWrite {
  private VersionedWrite() {}

  /** Operations of a write that is refused unless the znode has that version. */
  public static List<Op> of(String path, byte[] data, int version, List<ACL> acl) {
    if (version < 0) {
      throw StoreException.corrupt(
          "znode %s has version %d and cannot be written: its version counter has overflowed"
              .formatted(path, version));
    }
    return version < StoredRecord.LAST_VERSION
        ? List.of(Op.setData(path, data, version))
        : List.of(Op.delete(path, version), Op.create(path, data, acl, CreateMode.PERSISTENT));
  }
}
