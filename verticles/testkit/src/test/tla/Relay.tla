------------------------------------- MODULE Relay -------------------------------------
(* A lane of messages in cell A, and bridges that compete to move them to their targets'  *)
(* mailboxes in cell B: one multi in B raises the watermark and creates the messages.     *)
(* The lane is trimmed up to the watermark, some time. A message for a target that is     *)
(* full is parked in the same multi. Requests to B are delayed without bound; a bridge    *)
(* may stop or begin again at any moment, and then reads afresh.                          *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Bridges, Messages, Batch, Requests, Flips, Restores,  \* bounds
  CheckMark,   \* a move checks the version of the watermark
  CheckCell,   \* requests check that the cell was not restored meanwhile
  NoGap,       \* a move begins with the message after the watermark
  TrimMoved,   \* only what the watermark covers is trimmed, not what is under way
  ParkBehind,  \* what follows a parked message to the same target is parked too
  CheckOpen    \* a move checks the headers of the targets it delivers to

VARIABLES
  written,   \* messages 1..written were put in the lane
  trimmed,   \* messages 1..trimmed are no longer there
  mark,      \* watermark; it rises with each move, so it is its own version
  box,       \* box[t]: all that target t received
  parked,    \* parked[t]: what waits for room
  full,      \* full[t]: the header says so
  flips, restores,
  net, requests,
  view,      \* view[b]: watermark that bridge b believes, and of which life of the cell
  overrun    \* a message was delivered to a full target

inB == <<mark, box, parked, full, flips, restores, overrun>>
vars == <<written, trimmed, inB, net, requests, view>>

Targets == {0, 1}
Target(m) == m % 2
Symmetry == Permutations(Bridges)

For(t, first, last) == SelectSeq([i \in 1..last |-> i], LAMBDA m : m >= first /\ Target(m) = t)

Init ==
  /\ written = 0 /\ trimmed = 0 /\ mark = 0 /\ flips = 0 /\ restores = 0 /\ net = {} /\ requests = 0
  /\ box = [t \in Targets |-> <<>>] /\ parked = [t \in Targets |-> <<>>]
  /\ full = [t \in Targets |-> FALSE] /\ overrun = FALSE
  /\ view = [b \in Bridges |-> [mark |-> 0, cell |-> 0]]

Write ==
  /\ written < Messages /\ written' = written + 1
  /\ UNCHANGED <<trimmed, inB, net, requests, view>>

Flip(t) ==
  /\ flips < Flips /\ flips' = flips + 1 /\ full' = [full EXCEPT ![t] = ~@]
  /\ UNCHANGED <<written, trimmed, mark, box, parked, restores, net, requests, view, overrun>>

\* Cell B is set up again from a backup, in the worst case an empty one.
Restore ==
  /\ restores < Restores /\ restores' = restores + 1
  /\ mark' = 0 /\ box' = [t \in Targets |-> <<>>] /\ parked' = box'
  /\ UNCHANGED <<written, trimmed, full, flips, net, requests, view, overrun>>

(* ------------------------------- bridges ---------------------------------------------- *)

Look(b) ==
  /\ view' = [view EXCEPT ![b] = [mark |-> mark, cell |-> restores]]
  /\ UNCHANGED <<written, trimmed, inB, net, requests>>

Submit(r) ==
  /\ requests < Requests /\ requests' = requests + 1
  /\ net' = net \cup {r @@ [id |-> Cardinality({q \in net : q.kind = r.kind})]}
  /\ UNCHANGED <<written, inB>>

\* The first messages of the lane after the watermark, as many as a batch may hold.
Move(b) ==
  LET believed == view[b].mark
      first == IF trimmed > believed THEN trimmed + 1 ELSE believed + 1 IN
  \E last \in first..written :
    /\ last < first + Batch
    /\ NoGap => first = believed + 1
    /\ Submit([kind |-> "move", cell |-> view[b].cell, mark |-> believed, first |-> first, last |-> last,
               park |-> {t \in Targets : full[t] \/ (ParkBehind /\ parked[t] # <<>>)}])
    /\ UNCHANGED <<trimmed, view>>

\* The first parked message goes to its target.
Unpark(t) ==
  /\ parked[t] # <<>> /\ ~full[t]
  /\ Submit([kind |-> "unpark", cell |-> restores, m |-> Head(parked[t])]) /\ UNCHANGED <<trimmed, view>>

Trim(b) ==
  /\ LET early == {r.last : r \in {q \in net : q.kind = "move"}} IN
     \E upto \in {view[b].mark} \cup (IF TrimMoved THEN {} ELSE early) :
       upto > trimmed /\ trimmed' = upto
  /\ UNCHANGED <<written, inB, net, requests, view>>

(* ------------------------------- cell B ----------------------------------------------- *)

Moved(r) ==
  LET direct == {t \in Targets \ r.park : For(t, r.first, r.last) # <<>>} IN
  /\ CheckMark => r.mark = mark
  /\ CheckOpen => \A t \in direct : ~full[t]
  /\ mark' = r.last
  /\ box' = [t \in Targets |-> IF t \in direct THEN box[t] \o For(t, r.first, r.last) ELSE box[t]]
  /\ parked' = [t \in Targets |->
                 IF t \in r.park THEN parked[t] \o For(t, r.first, r.last) ELSE parked[t]]
  /\ overrun' = (overrun \/ \E t \in direct : full[t])

\* The parked message is deleted in the same multi, so it cannot go twice.
Unparked(r) ==
  LET t == Target(r.m) IN
  /\ parked[t] # <<>> /\ Head(parked[t]) = r.m
  /\ CheckOpen => ~full[t]
  /\ parked' = [parked EXCEPT ![t] = Tail(@)] /\ box' = [box EXCEPT ![t] = Append(@, r.m)]
  /\ overrun' = (overrun \/ full[t]) /\ UNCHANGED mark

Apply(r) ==
  /\ CheckCell => r.cell = restores
  /\ CASE r.kind = "move" -> Moved(r) [] r.kind = "unpark" -> Unparked(r)
  /\ net' = net \ {r} /\ UNCHANGED <<written, trimmed, full, flips, restores, requests, view>>

Next ==
  \/ Write \/ Restore \/ \E t \in Targets : Flip(t) \/ Unpark(t)
  \/ \E b \in Bridges : Look(b) \/ Move(b) \/ Trim(b)
  \/ \E r \in net : Apply(r)

Spec == Init /\ [][Next]_vars

(* ------------------------------- invariants ------------------------------------------- *)

InLane(t) == SelectSeq(For(t, mark + 1, written), LAMBDA m : m > trimmed)

\* Each message to a target is in one place: its mailbox, parked or still in the lane; in order.
ExactlyOnceInOrder ==
  \A t \in Targets : box[t] \o parked[t] \o InLane(t) = For(t, 1, written)

\* Cell B has all that its watermark covers, even if it was restored: better stuck than a hole.
NoHole == \A t \in Targets : box[t] \o parked[t] = For(t, 1, mark)

\* A full target receives nothing.
FullIsFull == ~overrun
========================================================================================
