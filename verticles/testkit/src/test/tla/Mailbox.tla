------------------------------------ MODULE Mailbox ------------------------------------
(* One producer, one mailbox, one actor that several hosts compete for.                   *)
(*                                                                                        *)
(* A request is an atomic multi. The network delays and reorders requests without bound.  *)
(* A lost or refused request is one that is delayed for ever: only safety is checked, so  *)
(* there is no action for it (but for Fifo, where a refused request must make way). A     *)
(* reply comes with the application of its request, or never: then the client reloads,    *)
(* which it may do at any moment.                                                         *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Hosts, Messages, Generations, Claims, Reloads, Requests,  \* bounds
  Fence,      \* a commit checks the lease
  Chain,      \* a commit names the version of the record that it read
  Header,     \* a send checks that the generation is the one for new mail
  Renewal,    \* a reload first bumps: "incarnation", "lease" or "none"
  Pipelined,  \* a client sends the next request before the reply to the last one
  Fifo        \* requests of one session arrive in order

VARIABLES
  lease,      \* version of the lease
  record,     \* the actor's: version v, n messages handled
  sent,       \* the producer's record: messages sent; also its version
  head, tail, \* generation that is read, generation that is written
  mail,       \* mail[g]: what is in generation g
  handled,    \* what the actor consumed, in order
  net,        \* requests under way
  requests,   \* how many were ever made
  life,       \* life[c]: reloads of client c; its incarnation, and its session
  epoch,      \* epoch[h]: version of the lease that h claimed
  view,       \* view[c]: what client c believes
  intruded    \* a host that did not hold the lease has written

stored == <<lease, record, sent, head, tail, mail, handled, intruded>>
clients == <<life, epoch, view>>
vars == <<stored, clients, net, requests>>

Producer == "producer"
Clients == Hosts \cup {Producer}
Nothing == [kind |-> "nothing"]
Symmetry == Permutations(Hosts)

Has(s, m) == \E i \in 1..Len(s) : s[i] = m
Without(s, m) == SelectSeq(s, LAMBDA x : x # m)

RECURSIVE Concat(_, _)
Concat(g, last) == IF g > last THEN <<>> ELSE mail[g] \o Concat(g + 1, last)

Init ==
  /\ lease = 0 /\ record = [v |-> 0, n |-> 0] /\ sent = 0 /\ head = 0 /\ tail = 0
  /\ mail = [g \in 0..Generations |-> <<>>] /\ handled = <<>> /\ intruded = FALSE
  /\ net = {} /\ requests = 0
  /\ life = [c \in Clients |-> 0] /\ epoch = [h \in Hosts |-> 0]
  /\ view = [c \in Clients |-> [v |-> 0, n |-> 0, g |-> 0, waiting |-> Nothing]]

(* ------------------------------- what clients do -------------------------------------- *)

\* Requests that are the same differ by a tag; it tells their order where that matters.
Request(c, fields) ==
  LET r == fields @@ [c |-> c, life |-> life[c], v |-> view[c].v]
      same == {q \in net : [q EXCEPT !.tag = 0] = r @@ [tag |-> 0]}
  IN r @@ [tag |-> IF Fifo THEN requests ELSE Cardinality(same)]

Submit(c, fields, believed) ==
  /\ view[c].waiting = Nothing /\ requests < Requests
  /\ LET r == Request(c, fields) IN
     /\ net' = net \cup {r}
     /\ view' = [view EXCEPT ![c] =
                  [believed EXCEPT !.v = @ + 1, !.waiting = IF Pipelined THEN Nothing ELSE r]]
  /\ requests' = requests + 1
  /\ UNCHANGED <<stored, life, epoch>>

Send ==
  /\ view[Producer].n < Messages
  /\ LET p == view[Producer] IN
     Submit(Producer, [kind |-> "send", n |-> p.n + 1, g |-> p.g], [p EXCEPT !.n = @ + 1])

LookAtHeader ==
  /\ view' = [view EXCEPT ![Producer].g = tail]
  /\ UNCHANGED <<stored, life, epoch, net, requests>>

ReloadProducer ==
  /\ life[Producer] < Reloads
  /\ life' = [life EXCEPT ![Producer] = @ + 1]
  /\ view' = [view EXCEPT ![Producer] = [v |-> sent, n |-> sent, g |-> tail, waiting |-> Nothing]]
  /\ UNCHANGED <<stored, epoch, net, requests>>

Loaded == [v |-> record.v, n |-> record.n, g |-> head, waiting |-> Nothing]

TakeLease(h) == lease < Claims /\ lease' = lease + 1 /\ epoch' = [epoch EXCEPT ![h] = lease + 1]

Claim(h) ==
  /\ epoch[h] = 0 \/ epoch[h] # lease
  /\ TakeLease(h) /\ view' = [view EXCEPT ![h] = Loaded]
  /\ UNCHANGED <<record, sent, head, tail, mail, handled, intruded, life, net, requests>>

Reload(h) ==
  /\ epoch[h] > 0 /\ life[h] < Reloads
  /\ life' = [life EXCEPT ![h] = @ + 1]
  /\ IF Renewal = "lease" THEN epoch[h] = lease /\ TakeLease(h) ELSE UNCHANGED <<lease, epoch>>
  /\ view' = [view EXCEPT ![h] = Loaded]
  /\ UNCHANGED <<record, sent, head, tail, mail, handled, intruded, net, requests>>

\* A host that saw the message earlier could have sent the request then: no view of mail needed.
Consume(h) ==
  /\ epoch[h] > 0 /\ Has(mail[view[h].g], view[h].n + 1)
  /\ Submit(h, [kind |-> "consume", n |-> view[h].n + 1, g |-> view[h].g, epoch |-> epoch[h]],
            [view[h] EXCEPT !.n = @ + 1])

\* Begins a generation: what is sent from now on goes there.
Rotate(h) ==
  /\ epoch[h] > 0 /\ tail < Generations
  /\ Submit(h, [kind |-> "rotate", n |-> view[h].n, epoch |-> epoch[h]], view[h])

\* Goes on to the next generation, when the one read is used up.
Advance(h) ==
  /\ epoch[h] > 0 /\ view[h].g < tail
  /\ \A i \in 1..Len(mail[view[h].g]) : mail[view[h].g][i] <= view[h].n
  /\ Submit(h, [kind |-> "advance", n |-> view[h].n, g |-> view[h].g, epoch |-> epoch[h]],
            [view[h] EXCEPT !.g = @ + 1])

(* ------------------------------- what the store does ---------------------------------- *)

SameLife(r) == r.life = life[r.c]

WriteAllowed(r) ==
  /\ Fence => r.epoch = lease
  /\ Renewal = "incarnation" => SameLife(r)
  /\ Chain => r.v = record.v

\* What the guards let pass, and what ZooKeeper itself can do: no znode is deleted that is not there.
Allowed(r) ==
  CASE r.kind = "send" ->
         /\ Renewal # "none" => SameLife(r)
         /\ Chain => r.v = sent
         /\ Header => r.g = tail
         /\ r.g >= head
    [] r.kind = "consume" -> WriteAllowed(r) /\ r.g >= head /\ Has(mail[r.g], r.n)
    [] r.kind = "rotate" -> WriteAllowed(r) /\ tail < Generations
    [] r.kind = "advance" -> WriteAllowed(r) /\ r.g = head /\ head < tail /\ mail[r.g] = <<>>

Sent(r) ==
  /\ sent' = r.n /\ mail' = [mail EXCEPT ![r.g] = Append(@, r.n)]
  /\ UNCHANGED <<record, head, tail, handled, intruded>>

Written(r) ==
  /\ record' = [v |-> record.v + 1, n |-> r.n] /\ intruded' = (intruded \/ r.epoch # lease)
  /\ UNCHANGED sent

Effect(r) ==
  CASE r.kind = "send" -> Sent(r)
    [] r.kind = "consume" ->
         /\ Written(r) /\ UNCHANGED <<head, tail>>
         /\ mail' = [mail EXCEPT ![r.g] = Without(@, r.n)] /\ handled' = Append(handled, r.n)
    [] r.kind = "rotate" -> Written(r) /\ tail' = tail + 1 /\ UNCHANGED <<head, mail, handled>>
    [] r.kind = "advance" -> Written(r) /\ head' = head + 1 /\ UNCHANGED <<tail, mail, handled>>

Oldest(r) == Fifo => \A q \in net : q.c = r.c /\ q.life = r.life => q.tag >= r.tag

Apply(r) ==
  /\ Oldest(r) /\ Allowed(r) /\ Effect(r)
  /\ net' = net \ {r}
  /\ view' = [view EXCEPT ![r.c].waiting = IF @ = r THEN Nothing ELSE @]
  /\ UNCHANGED <<lease, life, epoch, requests>>

Refuse(r) ==
  /\ Fifo /\ Oldest(r) /\ ~Allowed(r)
  /\ net' = net \ {r}
  /\ UNCHANGED <<stored, clients, requests>>

Next ==
  \/ Send \/ LookAtHeader \/ ReloadProducer
  \/ \E h \in Hosts : Claim(h) \/ Reload(h) \/ Consume(h) \/ Rotate(h) \/ Advance(h)
  \/ \E r \in net : Apply(r) \/ Refuse(r)

Spec == Init /\ [][Next]_vars

(* ------------------------------- invariants ------------------------------------------- *)

\* What was sent is what was handled and what still lies there, once each and in order.
ExactlyOnceInOrder == handled \o Concat(head, tail) = [i \in 1..sent |-> i]

\* The state of the actor and its consumed mail change together.
RecordCounts == record.n = Len(handled)

\* Nobody writes who does not hold the lease.
OnlyTheOwner == ~intruded
========================================================================================
