------------------------------- MODULE World -------------------------------
(* What happens to all of them. *)
EXTENDS Calls

(* Dies, hangs, or gives up after a call without an answer: its lease stays. *)
Crash(p) ==
  /\ ~At(p, "idle") /\ Fault("crash") /\ Becomes(p, Idle)
  /\ Untouched /\ Silent /\ UNCHANGED <<world, late, lied, fixed>>

LeasePasses ==
  /\ live /\ live' = FALSE
  /\ UNCHANGED <<rec, proc, begun, late, world, ghosts, fixed, trouble>>

ApplyLate ==
  /\ UNCHANGED <<proc, begun, bodies, acked, lied, fixed, trouble>>
  /\ \E w \in late :
       /\ late' = late \ {w}
       /\ IF w.op = "send" THEN Queued([g |-> w.g, b |-> w.b]) /\ Untouched
          ELSE UNCHANGED queue /\ IF Allowed(w) THEN Applied(w) ELSE Untouched

(* A record that is deleted early: only one that nobody holds, that was never done, and whose message was not lost as well. *)
Forget ==
  /\ ~gone /\ rec.gen = 0 /\ rec.st \in {"claimed", "queued", "working"} /\ Passed /\ Fault("forgotten")
  /\ UNCHANGED <<proc, begun, late, world, acked, effects, lied, fixed>>
  /\ rec' = Absent /\ UNCHANGED live /\ counted' = 0

(* The queue keeps messages for two weeks. *)
Expire ==
  /\ Quiet /\ queue # {} /\ rec.st # "absent" /\ Fault("expiry")
  /\ queue' = {} /\ gone' = TRUE
  /\ UNCHANGED <<store, proc, begun, late, bodies, first, acked, effects, lied, counted>>
=============================================================================
