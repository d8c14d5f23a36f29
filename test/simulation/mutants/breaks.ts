/** The promise that each mutant breaks: it is caught only when that one is violated. */
const BROKEN: Readonly<Record<string, readonly string[]>> = {
  'an event that has expired is accepted anew': ['expiry is ignored'],
  'S11 with a guard, the same signed bytes are one event': ['the guard does nothing'],
  'L1 L2 every event ends done or failed': ['a replay forgets where its body is', 'recovery does nothing'],
  'L4 a sender that retries is acknowledged in the end': ['a dead owner is never replaced'],
  'S1 no 2xx before the message is on the queue': [
    'a batch is acknowledged whatever became of its messages',
    'a failed event is acknowledged, and stays failed',
    'a refused send is acknowledged',
    'an event is acknowledged before it is forwarded',
    'an in-flight delivery is told duplicate',
    'an unknown send is acknowledged',
    'what is published is acknowledged before it is forwarded',
  ],
  'S10 a lease outlives its function and the skew of clocks': ['the lease is in seconds'],
  'S10 a new generation is remembered as long as the first': ['a replay is remembered no longer than before'],
  'S10 expiry is in whole seconds, ahead, and outlives the message': [
    'an expired message is handled',
    'a record forgets sooner than its message',
    'the expiry has a fraction',
    'the expiry is in milliseconds',
  ],
  'S13 trouble of ours alone makes nothing failed': [
    'commit does not start from working',
    'finish does not start from working',
  ],
  'S2 one live owner': [
    'a live claim is taken over',
    'a replay begins whatever became of the event meanwhile',
    'an event another is working on is taken',
  ],
  'S3 a message has the edition of its generation': ['the message of a replay has the first key'],
  'S3 an edition grows only when what was done begins again': [
    'a replay has a new key though the event failed',
    'a replay has the old key though the event was done',
  ],
  'S3 an event has one idempotency key until it is replayed after it was done': [
    'the idempotency key changes with the generation',
  ],
  'S4 a new generation follows a finished one, or an abandoned claim': ['an event in flight is replayed'],
  'S4 a new generation is begun by an operator, or reopened by its sender': ['a takeover starts at generation 0'],
  'S4 a status never goes back within a generation': [
    'a done event is taken again',
    'a failed event keeps its generation when reopened',
    'claim starts from failed too',
    'claim starts from queued too',
    'claim starts from working too',
    'the claim has no condition',
  ],
  'S5 a fence is shown only by the process that made it': [
    'a refused delivery ends its owner’s lease',
    'a superseded consumer finishes',
    'ending a lease shows no fence',
    'every owner has the same fence',
    'release does not ask for fence = fence',
    'settling is allowed to whoever asks',
  ],
  'S5 a new generation has a fence of its own': ['a replay keeps the old fence'],
  'S6 S7 what is forged or has no id leaves no record': ['nothing is verified'],
  'S8 the message carries the bytes that were signed': [
    'a missing id is an empty one',
    'a stored body is written anew',
    'another payload takes over',
    'another payload takes over what was abandoned',
    'the body is written anew',
  ],
  'S9 a caller’s key is one event': [
    'a batch has keys of its own',
    'the body is part of a key',
    'the body names what is published',
  ],
  'a failed event keeps its body': ['no body is stored first'],
  'a handler begins only under a live lease': ['a handler begins after its lease'],
  'a healthy handler ends in done, or says why not': [
    'what is lost is never marked',
    'fail does not ask for leaseUntil <= now',
    'fail does not start from queued',
  ],
  'a key is refused only for another payload': ['a key is the same whoever calls'],
  'a key names one payload for good': ['a settlement names the wrong hash', 'claim starts from done too'],
  'a key that has failed begins again only for an operator': ['a key that failed is reopened by its caller'],
  'a message is deleted only when its event is done, or failed with its body kept, or of a later generation': [
    'a pointer is sent without its body',
    'a dead letter is deleted without its body',
    'a message is deleted though done was refused',
    'a message is deleted though its handler failed',
    'a message is deleted though nobody answered',
    'a permanent failure is deleted though nothing was noted',
    'waiting messages are taken for lost',
  ],
  'a published event names its caller and key': ['an event does not say who published it'],
  'a redrive begins from what failed': ['a redrive takes what is done'],
  'a replay begins from the generation that was shown': [
    'what was replayed meanwhile is replayed for those who were shown less',
  ],
  'another payload is never acknowledged': ['another payload is taken for a duplicate'],
  'done means that the effect happened': [
    'a commit without an answer is taken for done',
    'done is marked before the effect',
  ],
  'nobody begins to send after their lease': ['an owner sends after its lease'],
  'only an owner forwards': ['recovery forwards without taking over'],
  'the first sight of an event stays': ['claim does not ask for fence = fence'],
  'the lease of a handler that is still running is not ended': ['a handler that hangs loses its lease'],
  'what an operator began has their name, and nothing else has': ['who replays is noted, and then it is tried'],
  'who began a generation is known from its first moment': [
    'nobody notes who replays',
    'who replays is noted after the act',
  ],
}

const PROMISES = new Map(
  Object.entries(BROKEN).flatMap(([promise, names]) => names.map(name => [name, promise] as const)),
)

/** Of all bugs whose promise is known. */
export const NAMED: ReadonlySet<string> = new Set(PROMISES.keys())

/** `undefined`: nobody has found one yet that it breaks, nor said why it breaks none. */
export const promiseOf = (name: string): string | undefined => PROMISES.get(name)
