package io.callboard.audit;

import java.util.Arrays;

/** Change or check of one znode by a transaction, as logged by ZooKeeper. */
sealed interface Operation {
  String path();

  /** Returns the operation with another path. */
  Operation at(String other);

  /** Returns whether it changes something. */
  default boolean writes() {
    return !(this instanceof Check);
  }

  @SuppressWarnings("ArrayRecordComponent")
  record Create(String path, byte[] data) implements Operation {
    @Override
    public Operation at(String other) {
      return new Create(other, data);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Create create
          && path.equals(create.path)
          && Arrays.equals(data, create.data);
    }

    @Override
    public int hashCode() {
      return path.hashCode() * 31 + Arrays.hashCode(data);
    }
  }

  /**
   * Write of data.
   *
   * @param version version of the znode after the write
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Write(String path, byte[] data, int version) implements Operation {
    @Override
    public Operation at(String other) {
      return new Write(other, data, version);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Write write
          && path.equals(write.path)
          && version == write.version
          && Arrays.equals(data, write.data);
    }

    @Override
    public int hashCode() {
      return (path.hashCode() * 31 + version) * 31 + Arrays.hashCode(data);
    }
  }

  record Delete(String path) implements Operation {
    @Override
    public Operation at(String other) {
      return new Delete(other);
    }
  }

  /**
   * Check of a version.
   *
   * @param version version that the znode has
   */
  record Check(String path, int version) implements Operation {
    @Override
    public Operation at(String other) {
      return new Check(other, version);
    }
  }
}
