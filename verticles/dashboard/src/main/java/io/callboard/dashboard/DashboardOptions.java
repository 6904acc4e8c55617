package io.callboard.dashboard;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.cell.NodeVersion;
import io.callboard.part.PartSettings;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Options of the dashboard. Setters change and return this object, which is copied when used. Not
 * thread-safe.
 */
public final class DashboardOptions {
  /** Address to listen on by default: only processes of this machine can reach it. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  /** Port to listen on by default. */
  public static final int DEFAULT_PORT = 8080;

  private String host = DEFAULT_HOST;
  private int port = DEFAULT_PORT;
  private boolean insecure;
  private boolean payloads;
  private boolean readOnly;
  private Optional<AuthOptions> auth = Optional.empty();
  private String cell = "";
  private String version = NodeVersion.version();
  private Duration tick = Duration.ofSeconds(1);
  private Clock clock = Clock.systemUTC();
  private final Set<String> allowedHosts = new TreeSet<>();
  private List<Setting> settings = List.of();

  /** Creates default options. */
  public DashboardOptions() {}

  /** Creates a copy. */
  public DashboardOptions(DashboardOptions other) {
    host = other.host;
    port = other.port;
    insecure = other.insecure;
    payloads = other.payloads;
    readOnly = other.readOnly;
    auth = other.auth;
    cell = other.cell;
    version = other.version;
    tick = other.tick;
    clock = other.clock;
    allowedHosts.addAll(other.allowedHosts);
    settings = other.settings;
  }

  /** Returns the options as they take effect, for {@link io.callboard.part.NodePart#settings}. */
  Map<String, String> shown() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("host", host);
    all.put("port", Integer.toString(port));
    all.put("insecure", Boolean.toString(insecure));
    all.put("readOnly", Boolean.toString(readOnly));
    all.put("payloads", Boolean.toString(payloads));
    all.put(
        "allowedHosts",
        allowedHosts.isEmpty() ? PartSettings.NONE : String.join(", ", allowedHosts));
    auth.ifPresentOrElse(
        login -> PartSettings.of(login).forEach((name, value) -> all.put("auth." + name, value)),
        () -> all.put("auth", PartSettings.NONE));
    all.put("cell", cell.isEmpty() ? "that of the node" : cell);
    all.put("version", version);
    all.put("tick", tick.toString());
    return all;
  }

  /** Returns the address to listen on, default {@value #DEFAULT_HOST}. */
  public String host() {
    return host;
  }

  /** Sets the address to listen on, a name or a literal address. */
  @CanIgnoreReturnValue
  public DashboardOptions host(String address) {
    host = address;
    return this;
  }

  /** Returns the port to listen on, default {@value #DEFAULT_PORT}; 0 for any free one. */
  public int port() {
    return port;
  }

  /**
   * Sets the port to listen on.
   *
   * @throws IllegalArgumentException unless it is 0 to 65535
   */
  @CanIgnoreReturnValue
  public DashboardOptions port(int number) {
    if (number < 0 || number > 65_535) {
      throw new IllegalArgumentException("a port is 0 to 65535, not " + number);
    }
    port = number;
    return this;
  }

  /**
   * Returns whether the dashboard may listen where others than local users can reach it, without a
   * login; default false.
   */
  public boolean insecure() {
    return insecure;
  }

  /** Sets whether the dashboard may be reached from other machines, without a login. */
  @CanIgnoreReturnValue
  public DashboardOptions insecure(boolean accepted) {
    insecure = accepted;
    return this;
  }

  /** Returns the displayed name of the cell; empty, the default, for that of the node. */
  public String cell() {
    return cell;
  }

  /** Sets the displayed name of the cell. */
  @CanIgnoreReturnValue
  public DashboardOptions cell(String name) {
    cell = name;
    return this;
  }

  /** Returns the displayed version of the software, default that of Callboard. */
  public String version() {
    return version;
  }

  /** Sets the displayed version of the software. */
  @CanIgnoreReturnValue
  public DashboardOptions version(String name) {
    version = name;
    return this;
  }

  /** Returns the interval at which watchers receive changes, default 1 s. */
  public Duration tick() {
    return tick;
  }

  /**
   * Sets the interval at which watchers receive changes.
   *
   * @throws IllegalArgumentException if it is shorter than 1 ms
   */
  @CanIgnoreReturnValue
  public DashboardOptions tick(Duration period) {
    if (period.toMillis() < 1) {
      throw new IllegalArgumentException("a tick is at least 1 ms, not " + period);
    }
    tick = period;
    return this;
  }

  /** Returns the clock of the times that are shown, default that of the system. */
  public Clock clock() {
    return clock;
  }

  /** Sets the clock of the times that are shown. */
  @CanIgnoreReturnValue
  public DashboardOptions clock(Clock source) {
    clock = source;
    return this;
  }

  /**
   * Returns additional names under which requests are answered, besides the node's own address and
   * those of loopback; default none.
   */
  public Set<String> allowedHosts() {
    return Set.copyOf(allowedHosts);
  }

  /** Adds a name under which requests are answered, for example that of a reverse proxy. */
  @CanIgnoreReturnValue
  public DashboardOptions allowHost(String name) {
    allowedHosts.add(name);
    return this;
  }

  /** Returns the settings of the node that operators are shown, default none. */
  public List<Setting> settings() {
    return settings;
  }

  /** Sets the settings of the node that operators are shown. */
  @CanIgnoreReturnValue
  public DashboardOptions settings(List<Setting> shown) {
    settings = List.copyOf(shown);
    return this;
  }

  /** Returns the login, by default none: whoever reaches the dashboard may do everything. */
  public Optional<AuthOptions> auth() {
    return auth;
  }

  /** Sets the login. */
  @CanIgnoreReturnValue
  public DashboardOptions auth(AuthOptions login) {
    auth = Optional.of(login);
    return this;
  }

  /** Returns whether writes are refused, default false. */
  public boolean readOnly() {
    return readOnly;
  }

  /** Sets whether writes are refused. */
  @CanIgnoreReturnValue
  public DashboardOptions readOnly(boolean refused) {
    readOnly = refused;
    return this;
  }

  /**
   * Returns whether the content of messages is shown, default false. With a login, the role admin
   * decides instead.
   */
  public boolean payloads() {
    return payloads;
  }

  /** Sets whether the content of messages is shown. */
  @CanIgnoreReturnValue
  public DashboardOptions payloads(boolean shown) {
    payloads = shown;
    return this;
  }
}
