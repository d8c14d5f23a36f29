---------------------------- MODULE Transitions ----------------------------
(* The record of one event, and every transition that functions/domain/protocol.ts lets it make.  *)
(* A write is a record: what it wants (op), under which fence, for which generation, with what.   *)
EXTENDS Naturals

CONSTANTS None, Tries

VARIABLES
  rec,    \* status, generation, fence, hash of the body, whether it is kept, tries, try given back, token of the commit
  live    \* its owner's lease has not passed; it may pass at any moment

Absent == [st |-> "absent", gen |-> 0, f |-> None, hash |-> None, at |-> FALSE, tries |-> 0, back |-> FALSE, tok |-> 0]

Over == {"done", "failed", "ignored"}

Own(w) == rec.f = w.f
Passed == ~live
Same(w) == rec.gen = w.g
Behind(w) == rec.st # "absent" /\ rec.gen < w.g
OwnGeneration(w) == Own(w) /\ Same(w)

(* The lost pass compares leases with the instant of its read: whoever owns the event since then has one that ends later. *)
PassedAsSeen(w) == Passed /\ (w.sf = None \/ rec.f = w.sf)
AbandonedOrOurs(w) == PassedAsSeen(w) \/ Own(w)
AsSeen(w) == rec.f = w.sf /\ Passed
AbandonedAsSeen(w) == AsSeen(w) \/ Own(w)

(* The condition of each write: `from` and `when` of its transition. *)
Allowed(w) ==
  CASE w.op = "claim" -> rec.st = "absent" \/ (rec.st = "claimed" /\ Own(w))
    [] w.op = "takeOver" -> rec.st = "claimed" /\ AbandonedAsSeen(w)
    [] w.op = "park" -> rec.st = "claimed" /\ AbandonedAsSeen(w)
    [] w.op = "reopen" -> (rec.st = "failed" /\ Same(w)) \/ (rec.st = "claimed" /\ Own(w))
    [] w.op = "settle" -> rec.st \in {"claimed", "queued"} /\ Own(w)
    [] w.op = "noteBody" -> rec.st # "absent" /\ Same(w) /\ ~rec.at
    [] w.op = "release" -> rec.st = "claimed" /\ Own(w)
    [] w.op = "take" -> Same(w) /\ (rec.st \in {"claimed", "queued"} \/ (rec.st = "working" /\ Passed /\ ~Own(w)))
    [] w.op = "giveBack" -> rec.st = "working" /\ OwnGeneration(w) /\ ~rec.back
    [] w.op = "recreate" -> rec.st = "absent" \/ Behind(w)
    [] w.op = "recreateFailed" -> rec.st = "absent" \/ Behind(w) \/ (rec.st = "failed" /\ Own(w))
    [] w.op = "finish" -> rec.st \in {"working", "done"} /\ OwnGeneration(w)
    [] w.op = "commit" -> rec.st = "working" /\ OwnGeneration(w)
    [] w.op = "ignore" -> rec.st \in {"working", "ignored"} /\ OwnGeneration(w)
    [] w.op = "report" -> rec.st = "working" /\ OwnGeneration(w)
    [] w.op = "fail" -> Same(w) /\ (\/ rec.st \in {"claimed", "queued", "working"} /\ AbandonedOrOurs(w)
                                    \/ rec.st = "failed" /\ (Own(w) \/ ~rec.at))
    [] w.op = "replay" -> Same(w) /\ rec.st = w.ss /\ (rec.st \in Over \/ (rec.st = "claimed" /\ AsSeen(w)))

Begun(w, gen) ==
  [st |-> "claimed", gen |-> gen, f |-> w.f, hash |-> w.b, at |-> w.at, tries |-> 0, back |-> FALSE, tok |-> 0]

Implied(w, status, at, tries) ==
  [st |-> status, gen |-> w.g, f |-> w.f, hash |-> w.b, at |-> at, tries |-> tries, back |-> FALSE, tok |-> 0]

(* Above the last try it does not matter by how much. *)
More(tries) == IF tries > Tries THEN tries ELSE tries + 1

(* What each write makes of the record: `to`, `sets` and `removes` of its transition. *)
After(w) ==
  CASE w.op = "claim" -> Begun(w, 0)
    [] w.op = "takeOver" -> [rec EXCEPT !.st = "claimed", !.f = w.f]
    [] w.op = "park" -> [rec EXCEPT !.f = w.f]
    [] w.op = "reopen" -> IF rec.st = "claimed" THEN rec ELSE Begun(w, rec.gen + 1)
    [] w.op = "settle" -> [rec EXCEPT !.st = "queued", !.hash = w.b, !.at = w.at]
    [] w.op = "noteBody" -> [rec EXCEPT !.hash = w.b, !.at = TRUE]
    [] w.op = "take" -> [rec EXCEPT !.st = "working", !.f = w.f, !.tries = More(@), !.back = FALSE]
    [] w.op = "giveBack" -> [rec EXCEPT !.tries = @ - 1, !.back = TRUE]
    [] w.op = "recreate" -> Implied(w, "working", FALSE, 1)
    [] w.op = "recreateFailed" -> Implied(w, "failed", w.at, 0)
    [] w.op = "finish" -> [rec EXCEPT !.st = "done"]
    [] w.op = "commit" -> [rec EXCEPT !.st = "done", !.tok = w.tok]
    [] w.op = "ignore" -> [rec EXCEPT !.st = "ignored"]
    [] w.op = "fail" -> [rec EXCEPT !.st = "failed", !.f = w.f, !.hash = w.b, !.at = w.at]
    [] w.op = "replay" -> Begun(w, rec.gen + 1)
    [] OTHER -> rec

(* A new owner has a lease; whoever parks, releases, reports or fails ends it, and once settled or over nobody asks for it. *)
LeaseAfter(w) ==
  IF w.op \in {"claim", "takeOver", "reopen", "replay", "take", "recreate"} THEN TRUE
  ELSE IF w.op = "noteBody" THEN live
  ELSE FALSE
=============================================================================
