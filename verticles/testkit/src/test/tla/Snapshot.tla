------------------------------------ MODULE Snapshot -----------------------------------
(* A snapshot too large for one commit: a parent and its chunks are written in the        *)
(* background, then a normal commit makes the record refer to it. Writers may die at any  *)
(* moment and leave requests that arrive late. A collector (the owner when it loads, and  *)
(* the monitor) condemns what the record does not refer to, then deletes it bit by bit.   *)
EXTENDS Naturals, FiniteSets

CONSTANTS
  Snapshots, Chunks, Versions, Delay,  \* bounds
  ChunksFirst,  \* the record refers to a snapshot when all its chunks are known to be durable
  CheckParent,  \* the commit that refers to a snapshot checks its parent
  CheckRecord,  \* the multi that condemns a snapshot checks the version of the record seen
  Condemn,      \* condemning changes the parent, before any chunk is deleted
  Wait,         \* only what is older than Delay is condemned
  Monitor       \* there is a monitor; else only the owner collects, what it finds at a load

VARIABLES
  record,  \* what it refers to, and its version
  parent,  \* parent[s]: "none", "there", "condemned" or "gone"
  chunks,  \* chunks[s]: those that are there
  age,     \* age[s]: up to Delay
  net,     \* creations under way: <<s, 0>> the parent, <<s, c>> a chunk
  writer,  \* writer[s]: "new", "busy", "committing" or "dead"
  durable, \* durable[s]: what its writer knows to be there
  based,   \* based[s]: version of the record that the commit of s names
  listed,  \* what the owner found when it loaded
  judged   \* judged[s]: version + 1 of the record that did not refer to s, or 0

vars == <<record, parent, chunks, age, net, writer, durable, based, listed, judged>>
written == <<parent, chunks, age, net, writer, durable>>

Ids == 1..Snapshots
Parts == 0..Chunks
Exists(s) == parent[s] \in {"there", "condemned"}

Init ==
  /\ record = [ref |-> 0, v |-> 0] /\ net = {} /\ listed = {}
  /\ parent = [s \in Ids |-> "none"] /\ writer = [s \in Ids |-> "new"]
  /\ chunks = [s \in Ids |-> {}] /\ durable = [s \in Ids |-> {}]
  /\ age = [s \in Ids |-> 0] /\ based = [s \in Ids |-> 0] /\ judged = [s \in Ids |-> 0]

(* ------------------------------- writer ----------------------------------------------- *)

\* An id is never used again.
Begin(s) ==
  /\ writer[s] = "new" /\ \A t \in Ids : t < s => writer[t] # "new"
  /\ writer' = [writer EXCEPT ![s] = "busy"] /\ net' = net \cup {<<s, part>> : part \in Parts}
  /\ UNCHANGED <<record, parent, chunks, age, durable, based, listed, judged>>

\* A chunk cannot be created without its parent.
Create(s, part) ==
  /\ <<s, part>> \in net /\ net' = net \ {<<s, part>>}
  /\ IF part = 0
     THEN parent' = [parent EXCEPT ![s] = "there"] /\ UNCHANGED chunks
     ELSE Exists(s) /\ chunks' = [chunks EXCEPT ![s] = @ \cup {part}] /\ UNCHANGED parent
  /\ durable' = [durable EXCEPT ![s] = IF writer[s] = "busy" THEN @ \cup {part} ELSE @]
  /\ UNCHANGED <<record, age, writer, based, listed, judged>>

Commit(s) ==
  /\ writer[s] = "busy" /\ (ChunksFirst => durable[s] = Parts)
  /\ writer' = [writer EXCEPT ![s] = "committing"] /\ based' = [based EXCEPT ![s] = record.v]
  /\ UNCHANGED <<record, parent, chunks, age, net, durable, listed, judged>>

\* Arrives late, perhaps, and even if the writer is dead by then.
Refer(s) ==
  /\ writer[s] = "committing" /\ record.v < Versions
  /\ based[s] = record.v
  /\ CheckParent => IF Condemn THEN parent[s] = "there" ELSE Exists(s)
  /\ record' = [ref |-> s, v |-> record.v + 1] /\ writer' = [writer EXCEPT ![s] = "dead"]
  /\ UNCHANGED <<parent, chunks, age, net, durable, based, listed, judged>>

Turn ==
  /\ record.v < Versions /\ record' = [record EXCEPT !.v = @ + 1]
  /\ UNCHANGED <<written, based, listed, judged>>

Die(s) ==
  /\ writer[s] = "busy" /\ writer' = [writer EXCEPT ![s] = "dead"]
  /\ UNCHANGED <<record, parent, chunks, age, net, durable, based, listed, judged>>

(* ------------------------------- collector -------------------------------------------- *)

Grow(s) ==
  /\ Exists(s) /\ age[s] < Delay /\ age' = [age EXCEPT ![s] = @ + 1]
  /\ UNCHANGED <<record, parent, chunks, net, writer, durable, based, listed, judged>>

Load ==
  /\ ~Monitor /\ listed' = {s \in Ids : Exists(s)}
  /\ UNCHANGED <<record, written, based, judged>>

Judge(s) ==
  /\ parent[s] = "there" /\ s # record.ref /\ judged[s] = 0
  /\ Monitor \/ s \in listed
  /\ Wait => age[s] = Delay
  /\ judged' = [judged EXCEPT ![s] = record.v + 1]
  /\ UNCHANGED <<record, written, based, listed>>

Execute(s) ==
  /\ judged[s] > 0 /\ judged' = [judged EXCEPT ![s] = 0]
  /\ IF parent[s] = "there" /\ (CheckRecord => judged[s] = record.v + 1)
     THEN parent' = [parent EXCEPT ![s] = "condemned"]
     ELSE UNCHANGED parent
  /\ UNCHANGED <<record, chunks, age, net, writer, durable, based, listed>>

DeleteChunk(s) ==
  /\ parent[s] = "condemned" /\ chunks[s] # {}
  /\ \E c \in chunks[s] : chunks' = [chunks EXCEPT ![s] = @ \ {c}]
  /\ UNCHANGED <<record, parent, age, net, writer, durable, based, listed, judged>>

DeleteParent(s) ==
  /\ parent[s] = "condemned" /\ chunks[s] = {} /\ parent' = [parent EXCEPT ![s] = "gone"]
  /\ UNCHANGED <<record, chunks, age, net, writer, durable, based, listed, judged>>

Collect(s) == Grow(s) \/ Judge(s) \/ Execute(s) \/ DeleteChunk(s) \/ DeleteParent(s)

Next ==
  \/ Turn \/ Load
  \/ \E s \in Ids :
       \/ Begin(s) \/ Commit(s) \/ Refer(s) \/ Die(s) \/ Collect(s)
       \/ \E part \in Parts : Create(s, part)

Spec == Init /\ [][Next]_vars /\ \A s \in Ids : WF_vars(Collect(s))

(* ------------------------------- properties ------------------------------------------- *)

\* J1: what the record refers to is there, all of it, and nobody is about to delete it.
ReferencedExists ==
  record.ref # 0 => parent[record.ref] = "there" /\ chunks[record.ref] = 1..Chunks

\* J3: when no more is written, what is not referred to vanishes for good.
NoGarbage == \A s \in Ids : s # record.ref => ~Exists(s)
GarbageVanishes == <>[]NoGarbage
========================================================================================
