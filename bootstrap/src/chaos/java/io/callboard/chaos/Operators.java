package io.callboard.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Operator's actions and views over REST. */
final class Operators {
  private static final Duration LIMIT = Duration.ofSeconds(180);
  private static final String API = "/api/v1";

  private final Cluster cluster;

  Operators(Cluster cluster) {
    this.cluster = cluster;
  }

  List<Fault> all() {
    return List.of(
        new Fault("drain", this::drain),
        new Fault("failover", this::failover),
        new Fault("rolling-restart", this::rollingRestart));
  }

  Member holder() throws Exception {
    return holder(Workload.ROLE);
  }

  Member holder(String role) throws Exception {
    return named(role, "holder");
  }

  Member standby() throws Exception {
    return named(Workload.ROLE, "standby");
  }

  private Member named(String role, String field) throws Exception {
    Await.until("a " + field, LIMIT, () -> !role(role).path(field).asText().isEmpty());
    return cluster.member(role(role).path(field).asText());
  }

  /** Returns a role as any ready node reports it. */
  private JsonNode role(String name) throws Exception {
    for (JsonNode role : Json.parse("roles", bytes(anyReady().get(API + "/roles"))).path("items")) {
      if (role.path("name").asText().equals(name)) {
        return role;
      }
    }
    throw new IOException("nobody knows the role " + name);
  }

  static byte[] bytes(HttpResponse<String> response) throws IOException {
    if (response.statusCode() / 100 != 2) {
      throw new IOException(
          "%s: %d %s".formatted(response.uri(), response.statusCode(), response.body()));
    }
    return response.body().getBytes(StandardCharsets.UTF_8);
  }

  Member anyReady() throws Exception {
    for (Member member : cluster.members()) {
      if (Await.holds(Duration.ZERO, member::isReady)) {
        return member;
      }
    }
    throw new IOException("no node is ready");
  }

  private static String post(Member at, String path) throws Exception {
    Await.until("POST " + path, LIMIT, () -> at.send("POST", API + path, "").statusCode() == 202);
    return path;
  }

  private String drain(Random random) throws Exception {
    Member drained = cluster.members().get(random.nextInt(cluster.members().size()));
    drain(drained, true);
    try {
      Await.pass(NodeFaults.between(random, 1_000, 4_000));
    } finally {
      drain(drained, false);
    }
    return drained.name();
  }

  /** Begins or ends it; any node is asked. */
  void drain(Member member, boolean drains) throws Exception {
    String what = drains ? "drain" : "undrain";
    var unused = post(anyReady(), "/hosts/%s/%s".formatted(member.name(), what));
  }

  private String failover(Random random) throws Exception {
    return failover(Workload.ROLE);
  }

  /** Hands a role over, once it has a standby; returns when another node holds it. */
  String failover(String role) throws Exception {
    var unused = named(role, "standby");
    String before = holder(role).name();
    String done = post(anyReady(), "/roles/%s/failover".formatted(role));
    Await.until("another holder than " + before, LIMIT, () -> !holder(role).name().equals(before));
    return done;
  }

  private String rollingRestart(Random random) throws Exception {
    for (Member member : cluster.members()) {
      member.terminate();
      member.start();
      Await.until(member.name() + " is ready again", LIMIT, member::isReady);
    }
    return "all nodes";
  }
}
