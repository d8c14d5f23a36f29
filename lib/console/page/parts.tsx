import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Status } from '../../../functions/contract/status.ts'
import type { KeptView } from '../../operator/kept-view.ts'
import type { ApiError } from './api.ts'
import { Icon, type IconName } from './icons.tsx'
import { ago, printable, utc } from './words.ts'

export const StatusMark = ({ status }: { readonly status: Status }) => (
  <span class={`status ${status}`}>
    <span class="dot" />
    {status}
  </span>
)

/** What a row of kept deliveries says; `unnamed` stands for an event id that is not there. */
export const KeptFacts = ({ kept, unnamed }: { readonly kept: KeptView; readonly unnamed: string }) => (
  <>
    <span class={`status ${kept.status < 300 ? 'done' : 'failed'}`}>
      <span class="dot" />
      {kept.status}
    </span>
    <span class="source">{kept.source}</span>
    <span class="type">{kept.reason ?? kept.outcome}</span>
    <span class="event-id mono">{kept.eventId === null ? unnamed : <Foreign text={kept.eventId} />}</span>
  </>
)

/** What a sender wrote: as text, and turned round by nothing it contains. */
export const Foreign = ({ text, class: name = '' }: { readonly text: string; readonly class?: string }) => (
  <bdi class={name}>{printable(text)}</bdi>
)

export const Age = ({ at, now }: { readonly at: string; readonly now: number }) => (
  <time dateTime={at} title={utc(at)}>
    {ago(at, now)}
  </time>
)

export const CopyButton = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <button type="button" class="quiet icon-only" aria-label={label} title={label} onClick={() => void copy()}>
      <Icon name={copied ? 'check' : 'copy'} />
      <span class="for-readers" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </button>
  )
}

interface BlockProps {
  readonly title: string
  /** Beside the title. */
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}

/** A part of what is shown of one event or delivery. */
export const Block = ({ title, aside, children }: BlockProps) => (
  <section class="block" aria-label={title}>
    <header>
      <h3>{title}</h3>
      {aside}
    </header>
    {children}
  </section>
)

/** Names and what they stand for. */
export const Pairs = ({ of }: { readonly of: readonly (readonly [name: string, value: ComponentChildren])[] }) => (
  <dl class="headers">
    {of.map(([name, value], index) => (
      <div key={index}>
        <dt>{printable(name)}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** Nothing here, or nothing to be had: what it is, and what to do. */
export const Notice = (given: {
  readonly icon: IconName
  readonly title: string
  readonly children: ComponentChildren
}) => (
  <div class="notice">
    <span class="notice-icon">
      <Icon name={given.icon} />
    </span>
    <h2>{given.title}</h2>
    {given.children}
  </div>
)

const TITLES: Partial<Record<ApiError['type'], string>> = {
  gone: 'The console has ended',
  unavailable: 'The store does not answer',
  'not-found': 'Not found',
  token: 'The token is wrong',
}

export const Failure = ({ error }: { readonly error: ApiError }) => (
  <Notice icon="warning" title={TITLES[error.type] ?? 'It did not work'}>
    <p>{error.message}</p>
  </Notice>
)

/** A command to copy, since a page cannot type into a terminal. */
export const Command = ({ line }: { readonly line: string }) => (
  <div class="command">
    <code>{line}</code>
    <CopyButton text={line} label="Copy the command" />
  </div>
)

/** Asks before an act. The browser keeps the focus inside, and Esc closes it. */
export const Dialog = (given: {
  readonly title: string
  readonly wide?: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class={given.wide ? 'wide' : ''} aria-labelledby="dialog-title" onClose={given.onClose}>
      <header>
        <h2 id="dialog-title">{given.title}</h2>
        <button type="button" class="quiet icon-only" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      {given.children}
    </dialog>
  )
}
