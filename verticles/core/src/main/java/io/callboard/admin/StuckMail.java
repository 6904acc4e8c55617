package io.callboard.admin;

import io.callboard.codecs.ActorPath;
import java.time.Instant;

/**
 * Messages of one durable actor to one receiver that cannot leave its outbox before an operator
 * acts: the receiver's mailbox is damaged, access to it is denied, or the body of the first of them
 * is gone. They are tried again; the actor, and its messages to others, go on.
 *
 * @param since when that was noticed, by the sender's present life
 * @param why nothing can be sent to the receiver
 */
public record StuckMail(
    ActorPath sender, ActorPath receiver, int messages, Instant since, String why) {}
