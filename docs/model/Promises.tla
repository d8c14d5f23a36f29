------------------------------ MODULE Promises ------------------------------
(* What must hold, whatever happens. TLC starts here. *)
EXTENDS Senders, Workers, World

Init ==
  /\ rec = Absent /\ live = FALSE /\ proc = [p \in Actors |-> Idle] /\ late = {}
  /\ bodies = {} /\ queue = {} /\ first \in StoreFirst
  /\ acked = FALSE /\ gone = FALSE /\ effects = [g \in Generations |-> 0] /\ lied = FALSE /\ counted = 0 /\ trouble = 0
  /\ begun = [deliveries |-> 0, looks |-> 0, takes |-> 0, replays |-> 0]

Forwarding(p) == TakeOver(p) \/ Send(p) \/ Settle(p)
Receive(p) == Claim(p) \/ Reopen(p) \/ Forwarding(p)
Recover(p) == Look(p) \/ SeeLost(p) \/ MarkLost(p) \/ Forwarding(p)
Operate(p) == Ask(p) \/ Replay(p) \/ Forwarding(p)
Handle(p) == Finish(p) \/ Commit(p) \/ Throw(p)
Consume(p) == Take(p) \/ Recreate(p) \/ Handle(p) \/ GiveBack(p) \/ Fail(p) \/ RecreateFailed(p)
Outside == LeasePasses \/ ApplyLate \/ Expire \/ Forget

Next ==
  \/ \E p \in Receivers : Receive(p)
  \/ \E p \in Recoveries : Recover(p)
  \/ \E p \in Operators : Operate(p)
  \/ \E p \in Consumers : Consume(p) \/ Bury(p)
  \/ \E p \in Actors : Crash(p)
  \/ Outside

Spec == Init /\ [][Next]_vars

(* ------------------------------ in every state ------------------------------ *)

Statuses == Over \union {"absent", "claimed", "queued", "working"}

WellFormed ==
  /\ rec.st \in Statuses /\ rec.gen \in Generations
  /\ rec.hash \in Bodies \union {None} /\ bodies \subseteq Bodies
  /\ rec.tries \in 0..(Tries + 1)

(* Whoever was told yes finds the event over, on the queue, or claimed with its body kept for recovery. *)
NothingAcknowledgedIsLost ==
  acked => \/ rec.st \in Over
           \/ rec.st = "claimed" /\ rec.at /\ rec.hash \in bodies
           \/ \E m \in queue : rec.st = "absent" \/ m.g = rec.gen
           \/ gone

OneEffect == \A g \in Generations : effects[g] <= 1

(* An effect that was committed is that of a generation that is done. *)
EffectIsDone == \A g \in Generations : effects[g] > 0 => rec.gen > g \/ (rec.gen = g /\ rec.st = "done" /\ rec.tok > 0)

NoFalseCommit == ~lied

(* What a view calls replayable has a body under the hash that the record names. *)
Replayable == rec.at => rec.hash \in bodies

(* A try is a call of the handler: nothing else is counted. *)
TriesAreCalls == rec.tries = counted

(* ------------------------------ in every step ------------------------------ *)

Rank == [absent |-> 0, claimed |-> 1, queued |-> 2, working |-> 3, done |-> 4, failed |-> 4, ignored |-> 4]

StatusNeverGoesBack == [][
  rec'.st # "absent" => \/ rec'.gen > rec.gen
                        \/ rec'.gen = rec.gen /\ Rank[rec'.st] >= Rank[rec.st]]_vars

(* Nobody takes an event from an owner whose lease is running; only a message, which is the truth, takes it from its sender. *)
OneLiveOwner == [][
  live /\ rec'.f # rec.f => rec.st = "claimed" /\ rec'.st = "working"]_vars

DoneIsFinal == [][rec.st \in {"done", "ignored"} => rec'.st = rec.st \/ rec'.gen > rec.gen]_vars

(* Messages leave the queue only if their event is done, ignored, failed with its body kept, or of a later generation. *)
NoMessageDeletedEarly == [][
  \A m \in queue \ queue' :
    \/ rec'.gen > m.g
    \/ rec'.gen = m.g /\ (rec'.st \in {"done", "ignored"} \/ (rec'.st = "failed" /\ rec'.at /\ rec'.hash \in bodies'))
    \/ gone']_vars

(* A failed event whose body is kept can be replayed until it is. Does not hold yet: README.md, "What it found". *)
FailedStaysReplayable == [][rec.st = "failed" /\ rec.at => rec'.at \/ rec'.gen > rec.gen]_vars

(* ------------------------------ in the end ------------------------------ *)

Fair ==
  /\ \A p \in Receivers : WF_vars(Reopen(p) \/ Forwarding(p))
  /\ \A p \in Recoveries : WF_vars(Recover(p))
  /\ \A p \in Operators : WF_vars(Replay(p) \/ Forwarding(p))
  /\ \A p \in Consumers : SF_vars(Consume(p)) /\ SF_vars(Handle(p))
  /\ WF_vars(LeasePasses)

FairSpec == Spec /\ Fair

EveryAcknowledgedEventEnds == acked ~> rec.st \in Over
=============================================================================
