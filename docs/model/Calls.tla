-------------------------------- MODULE Calls --------------------------------
(* Who writes: receivers, recovery, consumers, an operator. Each remote call is one step; between any *)
(* two of them anything else may happen, the caller may sleep past its lease, or it may die.          *)
EXTENDS Transitions, FiniteSets

CONSTANTS Receivers, Recoveries, Consumers, Operators, Bodies, StoreFirst, MaxGeneration, MaxLate, Faults, MaxFaults,
  MaxDeliveries, MaxLooks, MaxTakes, MaxReplays, MaxBegun, NoLimit

VARIABLES
  proc,     \* what each actor is at
  late,     \* writes and sends whose caller got no answer, and which may be applied at any time, or never
  bodies,   \* hashes under which bytes are kept
  queue,    \* messages, each a generation and a body; any of them may be delivered at any time, to several at once
  first,    \* this source stores bodies before the claim
  acked,    \* somebody was told yes: a sender by a 2xx, an operator by `replayed`
  gone,     \* messages outlived the queue's retention
  effects,  \* committed effects of each generation
  lied,     \* a handler was told `committed` of writes that are not the committed ones
  counted,  \* handler calls that this generation has really been given
  trouble,  \* faults so far
  begun     \* how often each role has begun something

store == <<rec, live>>
world == <<bodies, queue>>
ghosts == <<acked, effects, lied, counted>>
fixed == <<first, gone>>
vars == <<rec, live, proc, late, bodies, queue, first, acked, gone, effects, lied, counted, trouble, begun>>

Actors == Receivers \union Recoveries \union Consumers \union Operators
Generations == 0..MaxGeneration

Idle == [pc |-> "idle", f |-> None, g |-> 0, b |-> None, at |-> FALSE, sf |-> None, ss |-> "", tok |-> 0]

(* A fence that nobody else has, and that no record, late write or onlooker remembers. *)
Fresh(p) ==
  LET remembered == {rec.f} \union {w.f : w \in late} \union {w.sf : w \in late} \union {proc[q].sf : q \in Actors}
                    \union (IF proc[p].pc = "idle" THEN {} ELSE {proc[p].f})
      free == {n \in 0..7 : 10 * p + n \notin remembered}
  IN 10 * p + CHOOSE n \in free : \A m \in free : n <= m

Write(op, me) ==
  [op |-> op, f |-> me.f, g |-> me.g, sf |-> me.sf, ss |-> me.ss, b |-> me.b, at |-> me.at, tok |-> me.tok]

Applied(w) ==
  /\ rec' = After(w)
  /\ live' = LeaseAfter(w)
  /\ effects' = IF w.op = "commit" THEN [effects EXCEPT ![w.g] = @ + 1] ELSE effects
  /\ counted' = CASE w.op \in {"claim", "reopen", "replay", "recreateFailed"} -> rec'.tries
                  [] w.op = "recreate" -> 1
                  [] w.op = "take" -> IF rec.st = "working" /\ Own(w) THEN counted ELSE More(counted)
                  [] w.op = "giveBack" -> IF rec.back THEN counted ELSE counted - 1
                  [] OTHER -> counted

Untouched == UNCHANGED <<rec, live, effects, counted>>

Role(p) == IF p \in Receivers THEN "deliveries" ELSE IF p \in Recoveries THEN "looks"
           ELSE IF p \in Consumers THEN "takes" ELSE "replays"
Most == [deliveries |-> MaxDeliveries, looks |-> MaxLooks, takes |-> MaxTakes, replays |-> MaxReplays]

AllBegun == begun.deliveries + begun.looks + begun.takes + begun.replays

(* What is limited is counted: how often actors of a role begin, how often all of them do, and faults. *)
Becomes(p, me) ==
  /\ proc' = [proc EXCEPT ![p] = me]
  /\ IF proc[p].pc = "idle" /\ me.pc # "idle" /\ Most[Role(p)] # NoLimit
     THEN begun[Role(p)] < Most[Role(p)] /\ AllBegun < MaxBegun /\ begun' = [begun EXCEPT ![Role(p)] = @ + 1]
     ELSE UNCHANGED begun

Fault(kind) == kind \in Faults /\ trouble < MaxFaults /\ trouble' = trouble + 1

(* A call that was answered: its write was applied. The caller goes on as `next`. *)
Answered(p, w, next) == Allowed(w) /\ Becomes(p, next) /\ Applied(w) /\ UNCHANGED <<late, trouble>>

(* A call that was not: applied all the same, or left for later. The caller repeats it, or goes on as `next`. *)
Unanswered(p, w, next) ==
  /\ Becomes(p, next)
  /\ \/ Fault("no answer") /\ Allowed(w) /\ Applied(w) /\ UNCHANGED late
     \/ Fault("late") /\ Cardinality(late) < MaxLate /\ late' = late \union {w} /\ Untouched

Refused(p, w, next) == ~Allowed(w) /\ Becomes(p, next) /\ Untouched /\ UNCHANGED <<late, trouble>>

(* A write whose outcome its caller does not wait for. *)
Best(p, w, next) ==
  \/ Answered(p, w, next)
  \/ Refused(p, w, next)
  \/ Fault("lost") /\ Becomes(p, next) /\ Untouched /\ UNCHANGED late
  \/ Fault("late") /\ Becomes(p, next) /\ Untouched /\ Cardinality(late) < MaxLate /\ late' = late \union {w}

Tell == acked' = TRUE
Silent == UNCHANGED acked

At(p, pc) == proc[p].pc = pc

(* Idle actors of a role are alike, so the first of them begins; and bodies are alike until one was delivered. *)
Begins(p, role) == At(p, "idle") /\ \A q \in role : q < p => ~At(q, "idle")
Rendered == IF begun.deliveries = 0 /\ MaxDeliveries # NoLimit THEN {CHOOSE b \in Bodies : \A c \in Bodies : b <= c} ELSE Bodies

Message(me) == [g |-> me.g, b |-> me.b]
Queued(m) == queue' = queue \union {m}

(* Two weeks have passed: nobody who was at it lives, and no write is under way. *)
Quiet == late = {} /\ ~live /\ \A p \in Actors : At(p, "idle")
=============================================================================
