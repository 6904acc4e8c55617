package io.callboard.zookeeper.faults;

/** What a transaction did to one znode, as ZooKeeper logged it. */
sealed interface Operation {
  String path();

  /** The same on another path. */
  Operation at(String other);

  /** Whether it changes something. */
  default boolean writes() {
    return !(this instanceof Check);
  }

  @SuppressWarnings("ArrayRecordComponent")
  record Create(String path, byte[] data) implements Operation {
    @Override
    public Operation at(String other) {
      return new Create(other, data);
    }
  }

  /**
   * @param version that the znode has from now on
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Write(String path, byte[] data, int version) implements Operation {
    @Override
    public Operation at(String other) {
      return new Write(other, data, version);
    }
  }

  record Delete(String path) implements Operation {
    @Override
    public Operation at(String other) {
      return new Delete(other);
    }
  }

  /**
   * @param version that the znode has
   */
  record Check(String path, int version) implements Operation {
    @Override
    public Operation at(String other) {
      return new Check(other, version);
    }
  }
}
