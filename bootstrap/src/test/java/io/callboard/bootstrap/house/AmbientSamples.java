package io.callboard.bootstrap.house;

import io.callboard.time.Time;
import io.vertx.core.Vertx;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Uses of each kind of {@link Ambient}: the first word of a method's name is the kind, or {@code
 * none}.
 */
final class AmbientSamples {
  private AmbientSamples() {}

  static final class Initialized {
    static final Instant BEGUN = Instant.now();

    private Initialized() {}
  }

  static Instant wallInstant() {
    return Instant.now();
  }

  static LocalDateTime wallLocalDateTime() {
    return LocalDateTime.now();
  }

  static LocalDate wallLocalDateOfZone(ZoneId zone) {
    return LocalDate.now(zone);
  }

  static OffsetDateTime wallOffsetDateTime() {
    return OffsetDateTime.now();
  }

  static Year wallYear() {
    return Year.now();
  }

  static Supplier<ZonedDateTime> wallReference() {
    return ZonedDateTime::now;
  }

  static Supplier<Instant> wallInLambda() {
    return () -> Instant.now().plusMillis(1);
  }

  static Clock wallSystemUtc() {
    return Clock.systemUTC();
  }

  static Clock wallSystemDefaultZone() {
    return Clock.systemDefaultZone();
  }

  static Clock wallTicks(ZoneId zone) {
    return Clock.tickSeconds(zone);
  }

  static InstantSource wallInstantSource() {
    return InstantSource.system();
  }

  static long wallMillis() {
    return System.currentTimeMillis();
  }

  @SuppressWarnings("JavaUtilDate")
  static Date wallDate() {
    return new Date();
  }

  static Calendar wallCalendar() {
    return Calendar.getInstance();
  }

  static long monotonicNanoTime() {
    return System.nanoTime();
  }

  static LongSupplier monotonicReference() {
    return System::nanoTime;
  }

  static long monotonicTimer(Vertx vertx) {
    return vertx.setTimer(1, id -> {});
  }

  static long monotonicPeriodic(Vertx vertx) {
    return vertx.setPeriodic(1, id -> {});
  }

  static Time systemTime() {
    return Time.SYSTEM;
  }

  static double randomMath() {
    return Math.random();
  }

  static double randomStrictMath() {
    return StrictMath.random();
  }

  static Random randomUnseeded() {
    return new Random();
  }

  static Supplier<Random> randomReference() {
    return Random::new;
  }

  static SplittableRandom randomSplittable() {
    return new SplittableRandom();
  }

  static SecureRandom randomSecure() {
    return new SecureRandom();
  }

  static int randomThreadLocal() {
    return ThreadLocalRandom.current().nextInt();
  }

  static UUID randomUuid() {
    return UUID.randomUUID();
  }

  static RandomGenerator randomDefault() {
    return RandomGenerator.getDefault();
  }

  static RandomGenerator randomFactory() {
    return RandomGeneratorFactory.of("L64X128MixRandom").create();
  }

  static void randomShuffle(List<String> list) {
    Collections.shuffle(list);
  }

  static int randomIdentity(Object object) {
    return System.identityHashCode(object);
  }

  static Thread threadsNew() {
    return new Thread(() -> {});
  }

  static String threadsCurrent() {
    return Thread.currentThread().getName();
  }

  static void threadsSleep() throws InterruptedException {
    Thread.sleep(1);
  }

  static void threadsSleepOfUnit() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(1);
  }

  static Object threadsExecutor() {
    return Executors.newCachedThreadPool();
  }

  static Object threadsForkJoin() {
    return ForkJoinPool.commonPool();
  }

  static Object threadsCompletable() {
    return CompletableFuture.supplyAsync(() -> 1);
  }

  static Object threadsTimer() {
    return new Timer();
  }

  static Object threadsLock() {
    return new ReentrantLock();
  }

  static Object threadsParallel(List<String> list) {
    return list.parallelStream();
  }

  static void threadsNotify(Object monitor) {
    synchronized (monitor) {
      monitor.notifyAll();
    }
  }

  static String outsideFile(Path file) throws IOException {
    return Files.readString(file);
  }

  static boolean outsideOldFile(File file) {
    return file.exists();
  }

  static Object outsideStream(File file) throws IOException {
    return new FileInputStream(file);
  }

  static Object outsideSocket() throws IOException {
    return new ServerSocket(0);
  }

  static Object outsideChannel() throws IOException {
    return SocketChannel.open();
  }

  static Object outsideHttp() {
    return HttpClient.newHttpClient();
  }

  static void outsideOutput() {
    System.out.println();
  }

  static String outsideEnvironment() {
    return System.getenv("HOME");
  }

  static String outsideProperty() {
    return System.getProperty("user.home");
  }

  static Object outsideProcess() throws IOException {
    return new ProcessBuilder("true").start();
  }

  static Instant noneOfAnInjectedClock(Clock clock) {
    return Instant.now(clock)
        .plus(LocalDateTime.now(clock).getNano(), java.time.temporal.ChronoUnit.NANOS);
  }

  static long noneOfASeed(long seed) {
    return new SplittableRandom(seed).split().nextLong() + new Random(seed).nextLong();
  }

  static void noneOfAShuffleWithASeed(List<String> list, Random random) {
    Collections.shuffle(list, random);
  }

  static long noneOfATime(Time time) {
    return time.nanoTime();
  }
}
