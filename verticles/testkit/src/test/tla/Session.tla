------------------------------------ MODULE Session ------------------------------------
(* A node commits message after message, each under its incarnation and with its commit   *)
(* number. After an unknown outcome it renews: bump the incarnation, read the number; it  *)
(* sends again only what was not applied, or tells its caller that it was not applied.    *)
(* Requests are delayed without bound, so a request may arrive after the renewal.         *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
  Messages, Incarnations, Requests,  \* bounds
  Depth,             \* commits in flight
  CheckIncarnation,  \* a commit checks the incarnation
  NumberChain,       \* a commit names the number before its own
  Order              \* of a renewal: "bump-read", "read-bump", or "bump" (sends again unseen)

VARIABLES
  incarnation, number,  \* the node's, as stored
  applied,              \* messages in the receiver's mailbox
  net, requests,
  node,                 \* life, last number, next message, commits in flight, step of a renewal
  told                  \* what callers were told: yes and no

vars == <<incarnation, number, applied, net, requests, node, told>>

Init ==
  /\ incarnation = 0 /\ number = 0 /\ applied = <<>> /\ net = {} /\ requests = 0
  /\ node = [life |-> 0, last |-> 0, next |-> 1, flight |-> <<>>, step |-> "up"]
  /\ told = [yes |-> {}, no |-> {}]

Members(s) == {s[i] : i \in 1..Len(s)}

Commit ==
  /\ node.step = "up" /\ Len(node.flight) < Depth /\ node.next <= Messages /\ requests < Requests
  /\ LET r == [id |-> requests, life |-> node.life, number |-> node.last + Len(node.flight) + 1,
               m |-> node.next]
     IN /\ net' = net \cup {r}
        /\ node' = [node EXCEPT !.next = @ + 1, !.flight = Append(@, r)]
  /\ requests' = requests + 1 /\ UNCHANGED <<incarnation, number, applied, told>>

\* The reply comes at once or never: a node in doubt ignores it.
Apply(r) ==
  /\ CheckIncarnation => r.life = incarnation
  /\ NumberChain => r.number = number + 1
  /\ number' = r.number /\ applied' = Append(applied, r.m) /\ net' = net \ {r}
  /\ IF node.step = "up" /\ node.flight # <<>> /\ r = Head(node.flight)
     THEN /\ node' = [node EXCEPT !.flight = Tail(@), !.last = @ + 1]
          /\ told' = [told EXCEPT !.yes = @ \cup {r.m}]
     ELSE UNCHANGED <<node, told>>
  /\ UNCHANGED <<incarnation, requests>>

(* ------------------------------- renewal ---------------------------------------------- *)

First == IF Order = "read-bump" THEN "read" ELSE "bump"

Doubt ==
  /\ node.step = "up" /\ node.flight # <<>> /\ node' = [node EXCEPT !.step = First]
  /\ UNCHANGED <<incarnation, number, applied, net, requests, told>>

\* The process dies, with what its callers wait for; the next one opens the same node.
Restart ==
  /\ incarnation < Incarnations
  /\ node' = [node EXCEPT !.step = First, !.flight = <<>>]
  /\ UNCHANGED <<incarnation, number, applied, net, requests, told>>

\* An older attempt to bump arrives late: it only raises the version, and all is refused then.
BumpLate ==
  /\ incarnation < Incarnations /\ incarnation' = incarnation + 1
  /\ UNCHANGED <<number, applied, net, requests, node, told>>

\* What is not known to be applied is sent again, or its callers are told that it was not.
Resolved(n, last, lost) ==
  /\ \/ node' = [n EXCEPT !.last = last, !.flight = <<>>, !.step = "up",
                          !.next = IF lost = <<>> THEN @ ELSE Head(lost).m]
        /\ told' = [told EXCEPT !.yes = @ \cup
                      {r.m : r \in Members(n.flight) \ Members(lost)}]
     \/ lost # <<>>
        /\ node' = [n EXCEPT !.last = last, !.flight = <<>>, !.step = "up"]
        /\ told' = [yes |-> told.yes \cup {r.m : r \in Members(n.flight) \ Members(lost)},
                    no |-> told.no \cup {r.m : r \in Members(lost)}]

NotApplied(flight, last) == SelectSeq(flight, LAMBDA r : r.number > last)

Bump ==
  /\ node.step = "bump" /\ incarnation < Incarnations
  /\ incarnation' = incarnation + 1
  /\ LET n == [node EXCEPT !.life = incarnation + 1] IN
     CASE Order = "bump-read" -> node' = [n EXCEPT !.step = "read"] /\ UNCHANGED told
       [] Order = "read-bump" -> Resolved(n, n.last, NotApplied(n.flight, n.last))
       [] Order = "bump" -> Resolved(n, number, n.flight)
  /\ UNCHANGED <<number, applied, net, requests>>

Read ==
  /\ node.step = "read"
  /\ IF Order = "bump-read"
     THEN Resolved(node, number, NotApplied(node.flight, number))
     ELSE node' = [node EXCEPT !.step = "bump", !.last = number] /\ UNCHANGED told
  /\ UNCHANGED <<incarnation, number, applied, net, requests>>

Next == Commit \/ Doubt \/ Restart \/ BumpLate \/ Bump \/ Read \/ \E r \in net : Apply(r)

Spec == Init /\ [][Next]_vars

(* ------------------------------- invariants ------------------------------------------- *)

\* No message is there twice, none overtakes another.
OnceInOrder == \A i \in 1..Len(applied) - 1 : applied[i] < applied[i + 1]

\* What callers are told is true, and stays true.
Truthful == told.yes \subseteq Members(applied) /\ told.no \cap Members(applied) = {}
========================================================================================
