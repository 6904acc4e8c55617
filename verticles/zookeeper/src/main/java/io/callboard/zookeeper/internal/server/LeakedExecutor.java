package io.callboard.zookeeper.internal.server;

import io.netty.util.concurrent.EventExecutor;
import java.lang.reflect.Field;
import org.apache.zookeeper.server.NettyServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executor that ZooKeeper's Netty factory makes for the list of its connections ({@code new
 * DefaultChannelGroup("zkServerCnxns", new DefaultEventExecutor())}) and never ends: its thread
 * would keep the JVM alive. The factory does not hand it out, so it is taken from the field that
 * keeps it.
 */
public final class LeakedExecutor {
  private static final Logger log = LoggerFactory.getLogger(LeakedExecutor.class);

  private LeakedExecutor() {}

  /**
   * Stops the executor after its pending tasks; its thread ends with the factory's other threads.
   */
  public static void end(ServerCnxnFactory connections) {
    if (!(connections instanceof NettyServerCnxnFactory)) {
      return;
    }
    try {
      Object channels = value(NettyServerCnxnFactory.class, "allChannels", connections);
      EventExecutor executor = (EventExecutor) value(channels.getClass(), "executor", channels);
      var unused = executor.shutdownGracefully();
    } catch (ReflectiveOperationException | RuntimeException e) {
      log.warn(
          "a thread of ZooKeeper's connections (defaultEventExecutor) could not "
              + "be stopped: it keeps the JVM alive until System.exit",
          e);
    }
  }

  private static Object value(Class<?> type, String name, Object owner)
      throws ReflectiveOperationException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    Object value = field.get(owner);
    if (value == null) {
      throw new NoSuchFieldException("%s.%s holds nothing".formatted(type.getName(), name));
    }
    return value;
  }
}
