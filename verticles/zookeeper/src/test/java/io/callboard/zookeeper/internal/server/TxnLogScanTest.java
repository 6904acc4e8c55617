package io.callboard.zookeeper.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.zookeeper.TestServers;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.Adler32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every start of an embedded server reads its logs, each of which has 64 MiB set aside. */
@Tag("real")
class TxnLogScanTest {
  private static final int LOG_BYTES = 64 << 20;
  private static final int RECORDS = 100;

  /**
   * Time limit of a scan: it takes some 100 ms; byte by byte through a window it took seconds, or
   * minutes.
   */
  private static final Duration SOON = Duration.ofSeconds(1);

  /** Scans, of which one must be soon: code that is not compiled yet takes ten times as long. */
  private static final int SCANS = 5;

  /** Content behind the records of a log. */
  enum Rest {
    ZEROS,
    RANDOM,
    /** Numbers as transactions have them: beginnings of records by the look of each. */
    NUMBERS;

    void fill(byte[] log, int from) {
      if (this == RANDOM) {
        byte[] random = new byte[log.length - from];
        new Random(7).nextBytes(random);
        System.arraycopy(random, 0, log, from, random.length);
      } else if (this == NUMBERS) {
        ByteBuffer at = ByteBuffer.wrap(log, from, log.length - from);
        for (int i = 1; at.remaining() >= Long.BYTES; i++) {
          at.putLong(i % 2 == 0 ? i : (long) (1 << 20) << 32);
        }
      }
    }
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void put(ByteBuffer log, long zxid, int bytes) {
    byte[] transaction = new byte[bytes];
    ByteBuffer.wrap(transaction).putLong(12, zxid).putLong(20, 1_000 * zxid);
    Adler32 sum = new Adler32();
    sum.update(transaction);
    log.putLong(sum.getValue()).putInt(bytes).put(transaction).put((byte) 'B');
  }

  private static Path write(byte[] log) throws IOException {
    Path file = TestServers.directory("scan").resolve("log.1");
    return Files.write(Files.createDirectories(file.getParent()).resolve("log.1"), log);
  }

  private static ByteBuffer records() {
    ByteBuffer log = ByteBuffer.allocate(LOG_BYTES).position(16);
    for (int zxid = 1; zxid <= RECORDS; zxid++) {
      put(log, zxid, 300 + zxid);
    }
    return log;
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @Tag("long") // goes by the speed of the machine
  void behindATornRecordItIsLookedThroughSoon(Rest rest) throws Exception {
    ByteBuffer log = records();
    int whole = log.position();
    log.putLong(12_345).putInt(50_000).put((byte) 1); // and the rest of it was never written
    rest.fill(log.array(), whole + 20_000);
    Path file = write(log.array());
    long begunNs = cpu();
    TxnLogScan scan = TxnLogScan.of(file);
    long cpuNs = cpu() - begunNs;
    for (int i = 1; i < SCANS && cpuNs >= SOON.toNanos(); i++) {
      begunNs = cpu();
      scan = TxnLogScan.of(file);
      cpuNs = cpu() - begunNs;
    }
    Files.delete(file);
    assertThat(Duration.ofNanos(cpuNs))
        .as("of this thread, however busy the machine is")
        .isLessThan(SOON);
    assertThat(scan.last()).isEqualTo(RECORDS);
    assertThat(scan.wholeBytes()).isEqualTo(whole);
    assertThat(scan.behind()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void wholeRecordsFarBehindADamagedOneAreFound(Rest rest) throws Exception {
    ByteBuffer log = records();
    int whole = log.position();
    log.putLong(12_345).putInt(50_000).put((byte) 1);
    rest.fill(log.array(), whole + 20_000);
    log.position(LOG_BYTES - 5_003);
    put(log, 777, 40);
    put(log, 778, 4_000);
    Path file = write(log.array());
    TxnLogScan scan = TxnLogScan.of(file);
    Files.delete(file);
    assertThat(scan.isDamaged()).isTrue();
    assertThat(scan.last()).isEqualTo(RECORDS);
    assertThat(scan.behind()).isEqualTo(2);
    assertThat(scan.newest()).isEqualTo(778);
  }

  @Test
  void aWholeLogIsReadToItsEnd() throws Exception {
    Path file = write(records().array());
    TxnLogScan scan = TxnLogScan.of(file);
    Files.delete(file);
    assertThat(scan.isDamaged()).isFalse();
    assertThat(scan.last()).isEqualTo(RECORDS);
    assertThat(scan.lastAt().toEpochMilli()).isEqualTo(1_000 * RECORDS);
  }
}
