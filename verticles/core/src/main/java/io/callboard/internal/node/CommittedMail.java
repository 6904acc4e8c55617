package io.callboard.internal.node;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.activation.DurableActors;
import io.callboard.internal.activation.PushSender;
import io.callboard.internal.activation.UnhostedMail;
import io.callboard.internal.commit.Committer;
import io.callboard.internal.commit.GroupCommit;
import io.callboard.internal.context.OnceOpen;
import io.callboard.internal.ownership.PartitionOwnership;

/**
 * Reports the mail of this node's commits to its receivers: actors of this node, or the node that
 * owns their partition; mail that no node takes is noted as unhosted. On the durable context.
 */
final class CommittedMail implements Committer.Listener {
  private final OnceOpen<PartitionOwnership> ownership;
  private final DurableActors durables;
  private final PushSender pushSender;
  private final UnhostedMail unhosted;
  private final NodeEnd end;

  CommittedMail(
      OnceOpen<PartitionOwnership> ownership,
      DurableActors durables,
      PushSender pushSender,
      UnhostedMail unhosted,
      NodeEnd end) {
    this.ownership = ownership;
    this.durables = durables;
    this.pushSender = pushSender;
    this.unhosted = unhosted;
    this.end = end;
  }

  @Override
  public void delivered(GroupCommit.Delivered mail) {
    PartitionOwnership claims = ownership.get();
    boolean taken;
    if (claims.lease(mail.receiver()).isPresent()) {
      durables.wake().delivered(mail);
      taken = durables.isHere(mail.receiver());
    } else {
      pushSender.send(mail);
      taken = claims.elsewhere(mail.receiver()).isPresent();
    }
    if (!taken) {
      unhosted.delivered(mail.receiver());
    }
  }

  @Override
  public void mayHaveMail(ActorPath mailbox) {
    durables.wake().mailFor(mailbox);
  }

  @Override
  public void ended(Throwable cause) {
    end.storeLost(cause);
  }
}
