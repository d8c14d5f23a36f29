------------------------------ MODULE Senders ------------------------------
(* Whoever puts an event on the queue: receivers, recovery and an operator. *)
EXTENDS Calls

Delivery(p, b) == [Idle EXCEPT !.pc = "claim", !.f = Fresh(p), !.b = b, !.at = first]

Claim(p) ==
  \E me \in IF Begins(p, Receivers) THEN {Delivery(p, b) : b \in Rendered} ELSE IF At(p, "claim") THEN {proc[p]} ELSE {} :
    LET w == Write("claim", me)
        fresh == [me EXCEPT !.f = Fresh(p)]
    IN
    /\ UNCHANGED <<queue, lied, fixed>>
    /\ \/ Answered(p, w, [me EXCEPT !.pc = "send"]) /\ Silent /\ bodies' = bodies \union (IF first THEN {me.b} ELSE {})
       \/ Unanswered(p, w, me) /\ Silent /\ bodies' = bodies \union (IF first THEN {me.b} ELSE {})
       \/ /\ rec.st \in Over \union {"queued", "working"}
          /\ Refused(p, w, Idle) /\ Tell /\ UNCHANGED bodies
       \/ /\ rec.st = "claimed" /\ ~Passed   \* in flight: 409
          /\ Refused(p, w, Idle) /\ Silent /\ UNCHANGED bodies
       \/ /\ rec.st = "claimed" /\ Passed
          /\ Refused(p, w, [fresh EXCEPT !.pc = "takeOver", !.sf = rec.f])
          /\ Silent /\ bodies' = bodies \union (IF first THEN {me.b} ELSE {})
       \/ /\ rec.st = "failed" /\ rec.gen < MaxGeneration
          /\ Refused(p, w, [fresh EXCEPT !.pc = "reopen", !.g = rec.gen, !.at = TRUE])
          /\ Silent /\ bodies' = bodies \union {me.b}

(* Recovery parks what it cannot read. *)
TakeOver(p) ==
  LET me == proc[p]
      w == Write("takeOver", me)
  IN
  /\ At(p, "takeOver") /\ Silent /\ UNCHANGED <<world, lied, fixed>>
  /\ \/ Answered(p, w, [me EXCEPT !.pc = "send", !.g = rec.gen, !.sf = None])
     \/ Unanswered(p, w, me)
     \/ Refused(p, w, Idle)
     \/ /\ p \in Recoveries /\ Fault("unreadable") /\ Allowed(Write("park", me))
        /\ Becomes(p, Idle) /\ Applied(Write("park", me)) /\ UNCHANGED late

Reopen(p) ==
  LET me == proc[p]
      w == Write("reopen", me)
  IN
  /\ At(p, "reopen") /\ Silent /\ UNCHANGED <<world, lied, fixed>>
  /\ \/ Answered(p, w, [me EXCEPT !.pc = "send", !.g = me.g + 1])
     \/ Unanswered(p, w, me)
     \/ Refused(p, w, Idle)

(* ------------------- whoever owns a claim forwards and settles ------------------- *)

(* Whether the copy for replay was kept is open: a source may want none, and the write may fail. *)
Send(p) ==
  LET me == proc[p]
  IN
  /\ At(p, "send") /\ UNCHANGED <<lied, fixed>> /\ Silent
  /\ \/ \E kept \in {me.at, TRUE} :
          /\ Becomes(p, [me EXCEPT !.pc = "settle", !.at = kept])
          /\ bodies' = bodies \union (IF kept THEN {me.b} ELSE {})
          /\ Queued(Message(me)) /\ Untouched /\ UNCHANGED <<late, trouble>>
     \/ /\ Fault("no answer") /\ Message(me) \notin queue /\ Queued(Message(me))
        /\ Becomes(p, me) /\ Untouched /\ UNCHANGED <<late, bodies>>
     \/ /\ Fault("late") /\ Cardinality(late) < MaxLate /\ late' = late \union {Write("send", me)}
        /\ Becomes(p, me) /\ Untouched /\ UNCHANGED queue /\ UNCHANGED bodies
     \/ /\ Fault("refused") /\ Becomes(p, Idle) /\ UNCHANGED <<late, world>>   \* for certain
        /\ IF Allowed(Write("release", me)) THEN Applied(Write("release", me)) ELSE Untouched

(* The answer is a 2xx whatever becomes of the settle; if it is refused or unknown, the body is noted. *)
Settle(p) ==
  LET me == proc[p]
      w == Write("settle", me)
      note == Write("noteBody", me)
  IN
  /\ At(p, "settle") /\ UNCHANGED <<world, lied, fixed>>
  /\ \/ Answered(p, w, Idle) /\ Tell
     \/ Unanswered(p, w, me) /\ Silent
     \/ Fault("lost") /\ Becomes(p, Idle) /\ Untouched /\ UNCHANGED late /\ Tell   \* neither settled nor noted
     \/ ~me.at /\ Refused(p, w, Idle) /\ Tell
     \/ me.at /\ ~Allowed(w) /\ Best(p, note, Idle) /\ Tell
     \/ me.at /\ Allowed(w) /\ Fault("lost") /\ Allowed(note) /\ Becomes(p, Idle) /\ Applied(note) /\ UNCHANGED late /\ Tell

(* -------------------------- recovery and operator -------------------------- *)

Look(p) ==
  /\ At(p, "idle") /\ rec.st = "claimed" /\ Passed /\ rec.at /\ rec.hash \in bodies
  /\ Becomes(p, [Idle EXCEPT !.pc = "takeOver", !.f = Fresh(p), !.sf = rec.f, !.b = rec.hash, !.at = TRUE])
  /\ Untouched /\ Silent /\ UNCHANGED <<world, late, lied, fixed, trouble>>

SeeLost(p) ==
  /\ Quiet /\ queue = {} /\ rec.st \in {"claimed", "queued", "working"}
  /\ Becomes(p, [Idle EXCEPT !.pc = "lost", !.f = Fresh(p), !.g = rec.gen, !.sf = rec.f, !.b = rec.hash, !.at = rec.at])
  /\ Untouched /\ Silent /\ UNCHANGED <<world, late, lied, fixed, trouble>>

MarkLost(p) ==
  LET me == proc[p]
      w == Write("fail", me)
  IN
  /\ At(p, "lost") /\ Silent /\ UNCHANGED <<world, lied, fixed>>
  /\ Answered(p, w, Idle) \/ Unanswered(p, w, me) \/ Refused(p, w, Idle)

Ask(p) ==
  /\ At(p, "idle") /\ rec.gen < MaxGeneration /\ rec.at /\ rec.hash \in bodies
  /\ rec.st \in Over \/ (rec.st = "claimed" /\ Passed)
  /\ Becomes(p, [Idle EXCEPT !.pc = "replay", !.f = Fresh(p), !.g = rec.gen, !.ss = rec.st, !.sf = rec.f,
                          !.b = rec.hash, !.at = TRUE])
  /\ Untouched /\ Silent /\ UNCHANGED <<world, late, lied, fixed, trouble>>

Replay(p) ==
  LET me == proc[p]
      w == Write("replay", me)
      sending == [me EXCEPT !.pc = "send", !.g = me.g + 1, !.ss = "", !.sf = None]
  IN
  /\ At(p, "replay") /\ UNCHANGED <<world, lied, fixed>>
  /\ \/ Answered(p, w, sending) /\ Tell
     \/ Unanswered(p, w, me) /\ Silent
     \/ Own(w) /\ Refused(p, w, sending) /\ Tell       \* begun before, and its answer was lost
     \/ ~Own(w) /\ Refused(p, w, Idle) /\ Silent
=============================================================================
