/**
 * Sources in Amazon SQS.
 *
 * <p>A poll is one request that waits for two seconds; if it brings as many messages as a request
 * can, nine more at most follow at once, together never for more than was asked for. What is taken
 * is invisible to others for the lease; to extend is to set this time anew. A receipt stands for
 * one delivery of one message in this client, and is forgotten shortly before its lease is over, so
 * that no late call hits a delivery to somebody else. SQS keeps no message invisible for more than
 * twelve hours in all: from then on {@code extend} says that it is lost, and it comes again; longer
 * work is for {@code on_accept}.
 *
 * <p>To fail is to make a message visible after the delay, to release is the same after none. To
 * set aside is to send it to the queue for the dead with the attributes {@code callboard-id} (its
 * id in SQS) and {@code callboard-cause}, and to delete it then. SQS has no place for a cause in a
 * message that has more than eight attributes or is as large as it may be: then the message alone
 * is there, and its cause is in the log. The queue for the dead is one of the user's, with the
 * permissions and the retention that he wants, so it must be there, unless the setting {@code
 * create} says that queues are made.
 *
 * <p>The client is that of the SDK, over Vert.x's HTTP client; its calls begin on worker threads,
 * as the SDK reads files and asks for keys when it wants to.
 *
 * <h2>FIFO queues</h2>
 *
 * <p>SQS holds back a group's messages while one of them is in flight, so a failed message holds
 * its group until it is complete or set aside: that is how the order is kept. Messages of one group
 * that were taken together are in order in the answer; what starts them must keep it. Ours are sent
 * with the header {@code sqs-group} as their group, and their id drops doubles within five minutes.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>A message is deleted only after it was completed, or after its copy for the dead was taken.
 *   <li>A call for a receipt never changes a later delivery of its message.
 *   <li>If one of a batch fails, the others are done; the call fails and can be repeated.
 * </ul>
 *
 * <h2>Windows</h2>
 *
 * <ul>
 *   <li>The answer to a request for messages is lost: they come again when the lease is over.
 *   <li>The answer to a deletion is lost: repeated, it does nothing.
 *   <li>A crash between the copy for the dead and the deletion: the message comes again and may be
 *       set aside twice, with the same {@code callboard-id}.
 *   <li>SQS itself may deliver twice what is deleted or invisible (standard queues): with the same
 *       id.
 *   <li>The answer to a sent message is lost: it is sent again with the same id; who reads it with
 *       the setting {@code id} drops the double.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.internal.sqs;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
