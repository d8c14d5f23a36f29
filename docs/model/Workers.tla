----------------------------- MODULE Workers -----------------------------
(* Whoever takes it from there. *)
EXTENDS Calls

Received(p, m) == [Idle EXCEPT !.pc = "take", !.f = Fresh(p), !.g = m.g, !.b = m.b]

(* Its deletion is lost if the call before it got no answer and nobody repeats it: then the message comes back. *)
Deleted(me) == queue' = queue \ {Message(me)} /\ UNCHANGED bodies

(* What stands in the way of a write: what a message is deleted for, what can be made anew, and what has to wait. *)
Needless(w) == rec.st # "absent" /\ (rec.gen > w.g \/ (Same(w) /\ rec.st \in Over))
Missing(w) == rec.st = "absent" \/ Behind(w)

NotOurs(p, me, w, otherwise) ==
  \/ Needless(w) /\ Refused(p, w, Idle) /\ Deleted(me)
  \/ Missing(w) /\ Refused(p, w, otherwise) /\ UNCHANGED world
  \/ ~Needless(w) /\ ~Missing(w) /\ ~Own(w) /\ Refused(p, w, Idle) /\ UNCHANGED world   \* busy

(* The body of the message was kept, and the record is going to say so. *)
Failing(me) == [me EXCEPT !.pc = "fail", !.at = TRUE, !.tok = 0]

(* Above the last try the handler is not called: its tries hung, or took their process down. *)
Taken(me, tries) == [me EXCEPT !.pc = IF tries > Tries THEN "spent" ELSE "handle"]

Take(p) ==
  \E me \in IF Begins(p, Consumers) THEN {Received(p, m) : m \in queue} ELSE IF At(p, "take") THEN {proc[p]} ELSE {} :
    LET w == Write("take", me)
    IN
    /\ Silent /\ UNCHANGED <<lied, fixed>>
    /\ \/ Answered(p, w, Taken(me, More(rec.tries))) /\ UNCHANGED world
       \/ Unanswered(p, w, me) /\ UNCHANGED world
       \/ rec.st = "working" /\ Own(w) /\ Refused(p, w, Taken(me, rec.tries)) /\ UNCHANGED world
       \/ NotOurs(p, me, w, [me EXCEPT !.pc = "recreate"])

Recreate(p) ==
  LET me == proc[p]
      w == Write("recreate", me)
  IN
  /\ At(p, "recreate") /\ Silent /\ UNCHANGED <<lied, fixed>>
  /\ \/ Answered(p, w, Taken(me, 1)) /\ UNCHANGED world
     \/ Unanswered(p, w, me) /\ UNCHANGED world
     \/ rec.st = "working" /\ Own(w) /\ Refused(p, w, Taken(me, rec.tries)) /\ UNCHANGED world
     \/ NotOurs(p, me, w, Idle)

(* The handler returns without a commit, or has no use for the event. After a commit without an answer nobody says either. *)
Finish(p) ==
  \E op \in {"finish", "ignore"} :
    LET me == proc[p]
        w == Write(op, me)
    IN
    /\ At(p, "handle") /\ me.tok = 0 /\ Silent /\ UNCHANGED <<lied, fixed>>
    /\ \/ Answered(p, w, Idle) /\ Deleted(me)
       \/ Unanswered(p, w, me) /\ UNCHANGED world
       \/ NotOurs(p, me, w, Idle)

(* The handler commits, repeats a commit that had no answer, or commits other writes after it. *)
Commit(p) ==
  \E tok \in IF proc[p].tok = 0 THEN {1} ELSE {proc[p].tok, 2} :
    LET me == [proc[p] EXCEPT !.tok = tok]
        w == Write("commit", me)
        ours == rec.st = "done" /\ Own(w) /\ rec.tok = tok
    IN
    /\ At(p, "handle") /\ Silent /\ UNCHANGED fixed
    /\ \/ Answered(p, w, Idle) /\ Deleted(me) /\ UNCHANGED lied
       \/ Unanswered(p, w, me) /\ UNCHANGED <<world, lied>>
       \/ ours /\ Refused(p, w, Idle) /\ Deleted(me) /\ lied' = (lied \/ rec.tok # tok)
       \/ ~ours /\ NotOurs(p, me, w, Idle) /\ UNCHANGED lied

(* The handler throws: its lease ends, and the message comes back. After the last try, or for a permanent error, it fails. *)
Throw(p) ==
  LET me == proc[p]
      last == Own(me) /\ rec.tries >= Tries
      report == Write("report", me)
  IN
  /\ At(p, "handle") /\ Silent /\ UNCHANGED <<queue, lied, fixed>>
  /\ \/ ~last /\ Best(p, report, Idle) /\ UNCHANGED bodies
     \/ last /\ Best(p, report, Failing(me)) /\ bodies' = bodies \union {me.b}
     \/ Becomes(p, Failing(me)) /\ bodies' = bodies \union {me.b} /\ Untouched /\ UNCHANGED <<late, trouble>>

(* Woke up too late to call the handler, or found its tries used up: this one was none. *)
GiveBack(p) ==
  LET me == proc[p]
      w == Write("giveBack", me)
  IN
  /\ Silent /\ UNCHANGED <<queue, lied, fixed>>
  /\ \/ At(p, "handle") /\ me.tok = 0 /\ (Own(me) => Passed) /\ UNCHANGED bodies
        /\ (Best(p, w, Idle) \/ Unanswered(p, w, me))
     \/ At(p, "spent") /\ bodies' = bodies \union {me.b} /\ (Best(p, w, Failing(me)) \/ Unanswered(p, w, me))

(* A dead letter, or a message that is too old to be handled: its body is kept, and it fails without a call. *)
Bury(p) ==
  /\ Begins(p, Consumers) /\ Fault("dead letter")
  /\ \E m \in queue : Becomes(p, Failing(Received(p, m))) /\ bodies' = bodies \union {m.b}
  /\ Untouched /\ Silent /\ UNCHANGED <<queue, late, lied, fixed>>

Fail(p) ==
  LET me == proc[p]
      w == Write("fail", me)
  IN
  /\ At(p, "fail") /\ Silent /\ UNCHANGED <<lied, fixed>>
  /\ \/ Answered(p, w, Idle) /\ Deleted(me)
     \/ Unanswered(p, w, me) /\ UNCHANGED world
     \/ NotOurs(p, me, w, [me EXCEPT !.pc = "recreateFailed"])

RecreateFailed(p) ==
  LET me == proc[p]
      w == Write("recreateFailed", me)
  IN
  /\ At(p, "recreateFailed") /\ Silent /\ UNCHANGED <<lied, fixed>>
  /\ \/ Answered(p, w, Idle) /\ Deleted(me)
     \/ Unanswered(p, w, me) /\ UNCHANGED world
     \/ NotOurs(p, me, w, Idle)
=============================================================================
