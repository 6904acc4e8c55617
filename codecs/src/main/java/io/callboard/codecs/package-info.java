/**
 * Stored and sent formats: paths, message types, envelopes and their JSON.
 *
 * <p><b>Closed registry.</b> The types a mailbox accepts are derived from its sealed protocol
 * ({@link io.callboard.codecs.ProtocolCodec}); a type travels under its logical name and version
 * ({@link io.callboard.codecs.Named}), never under a class name, so that nothing on the wire can
 * choose what is instantiated, and a class may move.
 *
 * <p><b>Versions.</b> What has an older version is brought to the present one as JSON, step by step
 * ({@link io.callboard.codecs.Upcast}), before it becomes an object; a registry that lacks a step
 * cannot be built. What has a newer one is refused as such.
 *
 * <p><b>What must be there.</b> A component of a record that is neither {@code Nullable} nor {@code
 * Optional} is never null: what lacks it is refused where it is read, and where it is written
 * ({@link io.callboard.codecs.Nullability}). Elements of collections and maps are not looked at.
 *
 * <p><b>What can be read back.</b> A component whose type does not say what is read, an {@code
 * Object} or an open interface, is written as what it is and could never be read as that again. A
 * message of such a class is refused where it is written, a state or an event where its actor is
 * declared. Jackson's own readers are asked, once for each class. (The messages of a protocol are
 * not all checked when it is declared: some are made and handled in memory only, by adapters or
 * {@code pipeToSelf}.)
 *
 * <p><b>Hostile input.</b> Whatever the bytes, reading them gives a value or a {@link
 * io.callboard.codecs.CodecException}, in time and memory linear in their number ({@link
 * io.callboard.codecs.Json} has the limits); what an error repeats of them is short. A value that
 * would be beyond them is not written in the first place.
 *
 * <p><b>Formats.</b> Everything stored starts with a format version ({@code "f"}). Readers accept
 * every older format; a newer one is refused with an error that names both.
 *
 * <p><b>Traces.</b> A message may be a part of a trace ({@link io.callboard.codecs.TraceContext}):
 * its segment then has a newer format, and any other is written as if there were none. What came as
 * a trace context and is none is ignored, never an error: it must not keep a message from its
 * actor.
 *
 * <p><b>Large bodies.</b> An {@link io.callboard.codecs.Envelope} holds its body, or a {@link
 * io.callboard.codecs.BlobRef} to it with length and checksum; a reference is never larger than a
 * few hundred bytes.
 */
@NullMarked
@CheckReturnValue
package io.callboard.codecs;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
