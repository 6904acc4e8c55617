package io.callboard.dashboard;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/** How the dashboard is reached. Setters change and return this object; it is copied when used. */
public final class DashboardOptions {
  public static final String DEFAULT_HOST = "127.0.0.1";
  public static final int DEFAULT_PORT = 8080;

  private String host = DEFAULT_HOST;
  private int port = DEFAULT_PORT;
  private boolean insecure;
  private boolean payloads;
  private String cell = "main";
  private String version = "unknown";
  private Duration tick = Duration.ofSeconds(1);
  private Clock clock = Clock.systemUTC();
  private final Set<String> allowedHosts = new TreeSet<>();

  public DashboardOptions() {}

  public DashboardOptions(DashboardOptions other) {
    host = other.host;
    port = other.port;
    insecure = other.insecure;
    payloads = other.payloads;
    cell = other.cell;
    version = other.version;
    tick = other.tick;
    clock = other.clock;
    allowedHosts.addAll(other.allowedHosts);
  }

  /** The address to listen on, default {@value #DEFAULT_HOST}. */
  public String host() {
    return host;
  }

  @CanIgnoreReturnValue
  public DashboardOptions host(String address) {
    host = address;
    return this;
  }

  /** The port to listen on, default {@value #DEFAULT_PORT}; 0 for any that is free. */
  public int port() {
    return port;
  }

  @CanIgnoreReturnValue
  public DashboardOptions port(int number) {
    if (number < 0 || number > 65_535) {
      throw new IllegalArgumentException("a port is 0 to 65535, not " + number);
    }
    port = number;
    return this;
  }

  /**
   * Whether to listen where others than local users can reach it, without a login; default false.
   */
  public boolean insecure() {
    return insecure;
  }

  @CanIgnoreReturnValue
  public DashboardOptions insecure(boolean accepted) {
    insecure = accepted;
    return this;
  }

  /** The name of the cell, to be shown; default {@code main}. */
  public String cell() {
    return cell;
  }

  @CanIgnoreReturnValue
  public DashboardOptions cell(String name) {
    cell = name;
    return this;
  }

  /** The version of the software, to be shown. */
  public String version() {
    return version;
  }

  @CanIgnoreReturnValue
  public DashboardOptions version(String name) {
    version = name;
    return this;
  }

  /** How often those who look are told what changed, default 1 s. */
  public Duration tick() {
    return tick;
  }

  @CanIgnoreReturnValue
  public DashboardOptions tick(Duration period) {
    if (period.toMillis() < 1) {
      throw new IllegalArgumentException("a tick is at least 1 ms, not " + period);
    }
    tick = period;
    return this;
  }

  public Clock clock() {
    return clock;
  }

  @CanIgnoreReturnValue
  public DashboardOptions clock(Clock source) {
    clock = source;
    return this;
  }

  /** Names under which the node may be addressed besides its own address and those of loopback. */
  public Set<String> allowedHosts() {
    return Set.copyOf(allowedHosts);
  }

  /** Adds a name, for example that of a reverse proxy. */
  @CanIgnoreReturnValue
  public DashboardOptions allowHost(String name) {
    allowedHosts.add(name);
    return this;
  }

  /** Whether what messages say is shown, default no. */
  public boolean payloads() {
    return payloads;
  }

  @CanIgnoreReturnValue
  public DashboardOptions payloads(boolean shown) {
    payloads = shown;
    return this;
  }
}
