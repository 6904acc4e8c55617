------------------------------------ MODULE Rotation -----------------------------------
(* A mailbox in generations: senders with stale views, an owner who flips the header      *)
(* between OPEN and FULL, seals a generation, drains it and deletes it.                   *)
(*                                                                                        *)
(* A sender has one commit under way; an unknown outcome is resolved as in Session. What  *)
(* guards the owner's commits is in Mailbox; so they are atomic here, but for a flip,     *)
(* which may arrive late.                                                                 *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Senders, Messages, Generations, Limit, Flips, Doubts,  \* bounds
  CheckHeader,  \* a send checks the version of the header that it saw
  CheckFlip,    \* a flip checks the version of the header
  DrainFirst,   \* the owner reads the next generation only when it has deleted the one before
  NotEmpty,     \* a generation with mail in it cannot be deleted
  FromTail,     \* a sender that begins anew asks for the generation that is written
  Budget,       \* a sender looks again when it has used half of the room that it saw
  Forget,       \* after an unknown outcome it looks again, too
  CountAll      \* room is what all generations leave, not only the one that is written

VARIABLES
  header,       \* header[g]: its state and version
  head, tail,   \* generation that is read, generation that is written
  mail,         \* mail[g]: pairs of sender and number
  handled,
  drained,      \* the owner has seen the head sealed and empty
  flip, flips,  \* a flip under way, flips ever made
  sent,         \* sent[s]: number of its last message that was applied
  view,         \* view[s]: generation, version, room that it may use; whether it must look
  pending,      \* pending[s]: it has a commit under way
  doubts,
  broken        \* mail came into a mailbox that was full or sealed

owner == <<handled, drained, flip, flips>>
store == <<header, head, tail, mail>>
senders == <<sent, view, pending, doubts>>
vars == <<store, owner, senders, broken>>

Symmetry == Permutations(Senders)
Half(room) == IF room <= 0 THEN 0 ELSE IF room \div 2 < 1 THEN 1 ELSE room \div 2
NoFlip == [g |-> 0, state |-> "NONE", v |-> 0]

RECURSIVE Concat(_, _)
Concat(g, last) == IF g > last THEN <<>> ELSE mail[g] \o Concat(g + 1, last)

Init ==
  /\ header = [g \in 0..Generations |-> [state |-> IF g = 0 THEN "OPEN" ELSE "NONE", v |-> 0]]
  /\ head = 0 /\ tail = 0 /\ mail = [g \in 0..Generations |-> <<>>]
  /\ handled = <<>> /\ drained = FALSE /\ flip = NoFlip /\ flips = 0 /\ doubts = 0
  /\ sent = [s \in Senders |-> 0] /\ pending = [s \in Senders |-> FALSE] /\ broken = FALSE
  /\ view = [s \in Senders |-> [g |-> 0, v |-> 0, room |-> 0, look |-> TRUE]]

(* ------------------------------- senders ---------------------------------------------- *)

Children(g) == IF CountAll THEN Len(Concat(head, tail)) ELSE Len(mail[g])

Look(s) ==
  LET g == view[s].g IN
  /\ ~pending[s] /\ view[s].look
  /\ \/ header[g].state = "OPEN" /\ Half(Limit - Children(g)) > 0
        /\ view' = [view EXCEPT ![s] = [g |-> g, v |-> header[g].v, look |-> FALSE,
                                       room |-> Half(Limit - Children(g))]]
     \/ header[g].state \in {"SEALED", "GONE"} /\ tail > g
        /\ view' = [view EXCEPT ![s].g = tail]
  /\ UNCHANGED <<store, owner, sent, pending, doubts, broken>>

Send(s) ==
  /\ ~pending[s] /\ ~view[s].look /\ sent[s] < Messages
  /\ pending' = [pending EXCEPT ![s] = TRUE]
  /\ UNCHANGED <<store, owner, sent, view, doubts, broken>>

Exists(g) == header[g].state \notin {"NONE", "GONE"}
Allowed(s) == Exists(view[s].g) /\ (CheckHeader => header[view[s].g].v = view[s].v)

\* The reply may get lost: then the sender learns from its commit number that it was applied.
Apply(s) ==
  /\ pending[s] /\ Allowed(s)
  /\ LET g == view[s].g IN
     /\ mail' = [mail EXCEPT ![g] = Append(@, <<s, sent[s] + 1>>)]
     /\ broken' = (broken \/ header[g].state # "OPEN")
  /\ sent' = [sent EXCEPT ![s] = @ + 1] /\ pending' = [pending EXCEPT ![s] = FALSE]
  /\ \/ UNCHANGED doubts
        /\ view' = IF Budget
                   THEN [view EXCEPT ![s].room = @ - 1, ![s].look = view[s].room <= 1]
                   ELSE view
     \/ doubts < Doubts /\ doubts' = doubts + 1
        /\ view' = [view EXCEPT ![s].look = Forget]
  /\ UNCHANGED <<header, head, tail, owner>>

Refuse(s) ==
  /\ pending[s] /\ ~Allowed(s)
  /\ pending' = [pending EXCEPT ![s] = FALSE] /\ view' = [view EXCEPT ![s].look = TRUE]
  /\ UNCHANGED <<store, owner, sent, doubts, broken>>

\* The sender's node dies; another one goes on with what is stored.
Restart(s) ==
  /\ doubts < Doubts /\ doubts' = doubts + 1
  /\ pending' = [pending EXCEPT ![s] = FALSE]
  /\ view' = [view EXCEPT ![s].look = TRUE, ![s].g = IF FromTail THEN tail ELSE head]
  /\ UNCHANGED <<store, owner, sent, broken>>

(* ------------------------------- owner ------------------------------------------------ *)

BeginFlip ==
  /\ flip = NoFlip /\ flips < Flips /\ flips' = flips + 1
  /\ \E state \in {"OPEN", "FULL"} \ {header[tail].state} :
       flip' = [g |-> tail, state |-> state, v |-> header[tail].v]
  /\ UNCHANGED <<store, senders, handled, drained, broken>>

EndFlip ==
  /\ flip # NoFlip /\ flip' = NoFlip
  /\ IF Exists(flip.g) /\ (CheckFlip => header[flip.g].v = flip.v)
     THEN header' = [header EXCEPT ![flip.g] = [state |-> flip.state, v |-> @.v + 1]]
     ELSE UNCHANGED header
  /\ UNCHANGED <<head, tail, mail, senders, handled, drained, flips, broken>>

Rotate ==
  /\ tail < Generations /\ tail' = tail + 1
  /\ header' = [header EXCEPT ![tail] = [state |-> "SEALED", v |-> @.v + 1],
                             ![tail + 1] = [state |-> "OPEN", v |-> 0]]
  /\ UNCHANGED <<head, mail, owner, senders, broken>>

Consume ==
  /\ \E g \in head..(IF DrainFirst THEN head ELSE tail) :
       /\ mail[g] # <<>>
       /\ handled' = Append(handled, Head(mail[g])) /\ mail' = [mail EXCEPT ![g] = Tail(@)]
  /\ UNCHANGED <<header, head, tail, drained, flip, flips, senders, broken>>

SeeDrained ==
  /\ header[head].state = "SEALED" /\ mail[head] = <<>> /\ ~drained /\ drained' = TRUE
  /\ UNCHANGED <<store, handled, flip, flips, senders, broken>>

Advance ==
  /\ drained /\ (NotEmpty => mail[head] = <<>>)
  /\ header' = [header EXCEPT ![head].state = "GONE"] /\ mail' = [mail EXCEPT ![head] = <<>>]
  /\ head' = head + 1 /\ drained' = FALSE
  /\ UNCHANGED <<tail, handled, flip, flips, senders, broken>>

Next ==
  \/ \E s \in Senders : Look(s) \/ Send(s) \/ Apply(s) \/ Refuse(s) \/ Restart(s)
  \/ BeginFlip \/ EndFlip \/ Rotate \/ Consume \/ SeeDrained \/ Advance

Spec == Init /\ [][Next]_vars

(* ------------------------------- invariants ------------------------------------------- *)

Of(s, mails) == SelectSeq(mails, LAMBDA m : m[1] = s)

\* Each message of a sender is handled or still lies there, once and in order.
NothingLostInOrder ==
  \A s \in Senders :
    Of(s, handled \o Concat(head, tail)) = [i \in 1..sent[s] |-> <<s, i>>]

\* A sealed generation stays sealed: what is behind the tail is never written again.
SealedForGood == \A g \in 0..Generations : g < tail => header[g].state \in {"SEALED", "GONE"}

\* Mail comes into open generations only.
OnlyWhenOpen == ~broken

\* The limit, and what each other sender may add before it looks again.
Bounded == Len(Concat(head, tail)) <= Limit + (Cardinality(Senders) - 1) * Half(Limit)
========================================================================================
