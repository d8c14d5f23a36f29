import { isoOf } from '../contract/iso.ts'

declare const brand: unique symbol
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name }

/** Leases and timestamps of records. */
export type Millis = Branded<number, 'Millis'>
/** DynamoDB's TTL attribute, replay windows and tolerances. */
export type Seconds = Branded<number, 'Seconds'>
/** 64 hex characters; the partition key and the public `id` of an event. */
export type Fingerprint = Branded<string, 'Fingerprint'>
/** 32 hex characters, new for each attempt to own an event. */
export type Fence = Branded<string, 'Fence'>
/** Hex digest of the raw bytes of a body. */
export type Sha256 = Branded<string, 'Sha256'>

export const millis = (value: number): Millis => Math.trunc(value) as Millis
export const seconds = (value: number): Seconds => Math.trunc(value) as Seconds

export const toSeconds = (value: Millis): Seconds => seconds(Math.floor(value / 1000))
export const toMillis = (value: Seconds): Millis => millis(value * 1000)
export const plus = <Unit extends Millis | Seconds>(instant: Unit, span: Unit): Unit => (instant + span) as Unit

export const iso = (instant: Millis): string => isoOf(instant)
