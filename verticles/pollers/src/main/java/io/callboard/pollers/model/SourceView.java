package io.callboard.pollers.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Source as operators see it.
 *
 * @param name its name
 * @param kind its kind
 * @param ack when its messages are acknowledged
 * @param target what a message becomes, in words
 * @param status what it does now
 * @param why why it does not poll, or what does not work though it does, as a message that cannot
 *     be set aside, a sentence; null if all is well
 * @param node node that polls it; null for none, or if it takes requests
 * @param mode what operators want of it; null if it takes requests or no node answers
 * @param modeBy who wanted that; null for nobody yet
 * @param modeAt when; null for never
 * @param lag number of messages that wait in the source; null if that is not known
 * @param credit most messages that are taken and not acknowledged
 * @param inFlight messages that are
 * @param totals numbers since the source is known to the cell; of this node since its start, if it
 *     takes requests
 * @param rates rates of the last minute
 * @param lastPollAt when messages were last taken, or it was found that there are none; null for
 *     never on that node
 * @param lastAckAt when a message was last acknowledged; null for never on that node
 * @param lastError last failure; null for none on that node
 * @param lastErrorAt when that was; null for never
 */
public record SourceView(
    String name,
    String kind,
    AckMode ack,
    String target,
    SourceStatus status,
    @Nullable String why,
    @Nullable String node,
    @Nullable SourceMode mode,
    @Nullable String modeBy,
    @Nullable Instant modeAt,
    @Nullable Long lag,
    int credit,
    int inFlight,
    SourceTotals totals,
    SourceRates rates,
    @Nullable Instant lastPollAt,
    @Nullable Instant lastAckAt,
    @Nullable String lastError,
    @Nullable Instant lastErrorAt) {}
