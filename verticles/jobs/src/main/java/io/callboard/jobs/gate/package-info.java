/**
 * The gate as a machine: slots of types, fitness of hosts, which runs are admitted, and why the
 * rest waits. No I/O, no clock: state, reports, members and the time in, {@link
 * io.callboard.jobs.gate.GateStep}s out.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.jobs.gate.GateState} is durable: what waits, and the handles that were
 * granted. {@link io.callboard.jobs.gate.HostView}, the last report of each live host, is not.
 * {@code GateIndex} is derived from the state and follows it event by event, so that a decision
 * costs O(log n) of the waiting runs: they wait in {@code RunLane}s of runs that need the same.
 * That is of the waiting runs only. Each event after which runs may go costs O(lanes), whose first
 * runs are the candidates, and each grant O(hosts). Each report of a host, reading of the members
 * and tick costs O(handles): all are gone through for those that are lost ({@code
 * GateMachine.giveUp}) and those whose hosts are silent ({@code HostWatch.silences}). {@code
 * AdmissionMachine} chooses by effective priority, then by enqueue order, the host with the most
 * free slots; {@link io.callboard.jobs.gate.BlockedReasons} says of each waiting job why it does
 * not run.
 *
 * <p>The gate chooses from a {@code Window} of 20,000 waiting runs. What waits beyond it is in the
 * backlog of its type ({@link io.callboard.jobs.gate.BacklogState}) and is pulled in by priority,
 * each fourth time in turn, first come, first served. A run moves between the two with a message,
 * so it is always in one of them; while a backlog has runs of a priority, or may have, further ones
 * of that priority follow them there, so none overtakes another that the same limits count and that
 * requires the same of its host.
 *
 * <p>What counts as too few of a priority is what may start: runs that the limit of a label blocks
 * keep no others in the backlog ({@code PullPlan}). A pull names the lanes of which enough wait,
 * and the backlog returns the first runs beside them, and says how many it holds of each lane that
 * was named. The gate remembers those lanes ({@link io.callboard.jobs.gate.BacklogView}): each gets
 * runs of its own as soon as too few of it wait in the window. An example: customer=acme may have
 * 250 runs, the hosts have 1,000 slots, and 40,000 jobs of acme wait before 40,000 others of their
 * type and priority. Of acme, 250 run and at least 200 wait in the window; the gate pulls the
 * others past the rest of acme, so 750 of them run. When one of acme ends, the next of acme goes
 * from the window; when less than 200 wait there, 200 more are pulled, whatever waits beside them.
 *
 * <p>Runs that require labels of their host that no host offers are such a lane, too: a host offers
 * its labels while it takes runs, that is, while it is a member, is not draining or silent, and has
 * slots ({@code HostLabels}). The requirement is one word among the limits of the lane: {@code @}
 * and the labels with their lengths, or a digest of them if they are longer than 100 characters. It
 * counts a lane while no host offers it, and after that as long as the backlog holds runs that were
 * left out for it: so a host that joins gets them, by a pull of their own, whatever waits beside
 * them. Then runs of all requirements are one lane again. A limit and a requirement that both block
 * are one lane.
 *
 * <p>{@code HostWatch} asks a host that owes a report, and one that reports a run without progress,
 * with pauses that double and have jitter, a limited number of times. A host that stays silent, or
 * one that is no member any more, is notified to the jobs of its runs, and so is its return; both
 * are events of the gate, so a new gate goes on with what the jobs know. Questions are not: a new
 * gate asks anew.
 *
 * <p>A handle is voided only in three ways: its job releases it; its host says that the run is not
 * there and never will be; its host's boot has been no member of the cell for {@code
 * GateMachine.DEATH_GRACE}. A run that its host does not report for {@code GateMachine.START_GRACE}
 * is asked for; only the answer counts, never the time. A run that a host reports and that has no
 * handle is killed if the next report names it, too, for which the gate asks at once: a report may
 * be older than the end of a run.
 *
 * <h2>Invariants</h2>
 *
 * <p>J1: a grant is durable before it is sent. J4: silence frees no slot. J5: running and free
 * slots are derived from the handles ({@link io.callboard.jobs.gate.RunCounts}), never counted up
 * and down, so no slot can leak.
 *
 * <p>Of one type and priority, a run that waits in a backlog is overtaken only by runs of other
 * lanes, and only while enough of its own lane wait in the window. (A run with a limit that no pull
 * has named, or whose limit is removed, is in the lane without it, and may be overtaken by a pull
 * and a window's stock of that lane. So is a run whose requirement no pull has named, or in which a
 * limit and a requirement meet that the next pull names one by one.) A lane that was left out
 * counts for itself alone: its runs are no stock of those beside it, even if they may start, and
 * theirs is none of its own.
 *
 * <p>The bounds: {@code Window.MOST} runs, a tenth more that are pulled past those that are
 * blocked, up to half as many more of which ten are pulled at once, a pull of each type, and ten of
 * each priority and lane; {@code PullPlan.MOST_LANES} lanes of a type, and {@code Window.NAMED} of
 * all pulls of a turn. What exceeds the lanes of a type is pulled as if nothing counted it, until
 * that is used up; then a priority of which ten wait gets no others, blocked or not. No pull
 * repeats itself: one that could only return runs that are left out is not made until the backlog
 * holds others, or may.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The gate restarts: it knows its handles, and grants nothing on a host before that host has
 *       reported. It may think too many runs alive, never too few.
 *   <li>A Start is lost, or late by any time: the host's reports lack the run, so the gate asks the
 *       host to disown it. The answer is a promise that it never starts; only then the run is lost.
 *   <li>A lane's limit gets room, is changed or removed while a pull is open, or the gate restarts:
 *       the lanes that were left out are in its state, and the next pull is by the limits there are
 *       then. A report of a backlog between pulls says nothing of lanes: they are remembered with
 *       unknown numbers, which costs one pull.
 *   <li>The last host that offers something leaves, drains or is silent, or one joins, while a pull
 *       is open: the next pull is by the hosts of the gate's last decision. What was left out keeps
 *       its lane until the backlog holds no more of it, whoever comes and goes.
 *   <li>The gate restarts, and no host has reported, or none takes runs: nothing is missing then,
 *       since it is not known what the next one offers, and no lane is named for it. When some
 *       hosts have reported, what only the others offer is left out until they do: that is a few
 *       pulls of each type, within the bounds.
 *   <li>A backlog restarts: it forgets which labels were named, and parts its runs anew at the next
 *       pull, which names all lanes that the gate remembers.
 *   <li>The gate or a backlog is on an older node: that gate names no lanes, and that backlog
 *       returns the first runs whatever counts them, so the blocked ones fill the window up to its
 *       bound; the gate then remembers no lanes. One that knows limits, but no requirements, takes
 *       the word of one for a label that no run has: the gate drops that word of the lanes that it
 *       remembers, the backlog holds none of such a lane and returns its runs among the others.
 *   <li>Arguments that a host cannot read: its boot is one that the run must not be given to
 *       ({@code HandlerNeed}), another word of its lane. If no host is left, {@code UnreadableRuns}
 *       ends the run after a while, which begins anew with each gate. A gate on an older node that
 *       takes the state over finds no host for such a run until a newer one has it; one that is
 *       asked anew does not read the field, and a host that is chosen twice makes a failed attempt.
 *   <li>A clock is wrong: whether a slot is free does not depend on it. When a waiting run is due,
 *       and when it has waited too long, its job reckons by the clock of its node and the gate
 *       compares that with its own, so a run is early or late.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.gate;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
