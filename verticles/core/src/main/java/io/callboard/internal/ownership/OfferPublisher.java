package io.callboard.internal.ownership;

import io.callboard.CallboardOptions;
import io.callboard.cell.LocalMachine;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.membership.MemberFacts;
import io.callboard.placement.Locality;
import io.callboard.placement.Offer;
import io.callboard.supervision.Causes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publisher of what this node can own, to the other members. Used on the durable context. */
public final class OfferPublisher {
  private static final Logger log = LoggerFactory.getLogger(OfferPublisher.class);

  private static final long AGAIN_NANOS = 1_000_000_000L;

  private final NodeContext node;
  private final MemberFacts facts;
  private final Locality locality;
  private final Set<String> spaces = new HashSet<>();
  private final Set<String> roles = new HashSet<>();
  private final Map<String, String> unfit = new HashMap<>();
  private boolean draining;
  private boolean publishing;
  private boolean changed;

  public OfferPublisher(NodeContext node, MemberFacts facts) {
    this.node = node;
    this.facts = facts;
    CallboardOptions options = node.options();
    String machine = options.machine().isEmpty() ? LocalMachine.name() : options.machine();
    this.locality = new Locality(machine, options.labels());
  }

  /** Returns the locality of this node. Any thread. */
  public Locality locality() {
    return locality;
  }

  /** Publishes the node's locality, even if it offers nothing. */
  public void opened() {
    changed = true;
    publish();
  }

  public void hosts(String space) {
    changed |= spaces.add(space);
    publish();
  }

  public void holds(String role) {
    changed |= roles.add(role);
    publish();
  }

  /** Records a role declared here that requires labels this node lacks. */
  public void unfit(String role, Map<String, String> required) {
    String labels = Locality.text(required);
    changed |= !labels.equals(unfit.put(role, labels));
    publish();
  }

  public void forgoes(String role) {
    changed |= roles.remove(role);
    changed |= unfit.remove(role) != null;
    publish();
  }

  public void drain(boolean drains) {
    changed |= draining != drains;
    draining = drains;
    publish();
  }

  /** Publishes one offer at a time; changes meanwhile go with the next. */
  private void publish() {
    if (publishing || !changed) {
      return;
    }
    publishing = true;
    changed = false;
    Offer offer = new Offer(spaces, roles, node.options().weight(), draining, locality, unfit);
    facts
        .publish(Offer.FACT, offer.fact())
        .onComplete(
            done ->
                node.onDurableContext(
                    () -> {
                      publishing = false;
                      if (done.failed()) {
                        log.info(
                            "the offer of this node could not be published, and will be: {}",
                            Causes.text(done.cause()));
                        changed = true;
                        node.later(AGAIN_NANOS, this::publishUnlessEnded);
                      } else {
                        publish();
                      }
                    }));
  }

  private void publishUnlessEnded() {
    if (node.hindrance().isEmpty()) {
      publish();
    }
  }
}
