package io.callboard.workflows.internal.actor;

import io.callboard.workflows.internal.protocol.DefinitionAnswer;
import io.callboard.workflows.model.UnreadableVersion;
import java.time.Instant;

/** Version of a definition that is stored, and that this node cannot read. */
public final class UnreadableDefinition extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final String name;
  private final String version;
  private final Instant createdAt;
  private final String fault;

  UnreadableDefinition(String name, DefinitionAnswer.Is is, String fault) {
    super(
        "version %s of the definition %s cannot be read by this node: %s"
            .formatted(is.version(), name, fault));
    this.name = name;
    this.version = is.version();
    this.createdAt = is.createdAt();
    this.fault = fault;
  }

  /** Returns what is known of the version. */
  public UnreadableVersion version(boolean current) {
    return new UnreadableVersion(name, version, createdAt, current, fault);
  }
}
