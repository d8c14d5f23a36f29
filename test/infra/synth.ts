import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { ReceiverStack, type ReceiverStackProps } from '../../lib/stacks/receiver-stack.ts'

export const SOURCES = { stripe: { provider: 'stripe' }, 'my-shop': { provider: 'shopify' } } as const

/** One of them handled in order, which brings the FIFO queue with it. */
export const ORDERED_SOURCES = {
  ...SOURCES,
  orders: { provider: 'shopify', ordering: { key: 'json:id', version: 'json:updated_at' } },
} as const

/** The stack in an app of its own; its functions are not bundled, which takes seconds and changes no template. */
export const receiverStack = (
  props: Partial<ReceiverStackProps> = {},
  flags: Readonly<Record<string, unknown>> = {},
): ReceiverStack => {
  const app = new App({ context: { ...flags, 'aws:cdk:bundling-stacks': [] } })
  return new ReceiverStack(app, 'Test', { sources: SOURCES, ...props })
}

export interface Resource {
  readonly Type: string
  // biome-ignore lint/suspicious/noExplicitAny: a template is JSON, and its assertions say which
  readonly Properties: Record<string, any>
  readonly DeletionPolicy?: string
  readonly DependsOn?: readonly string[]
}

export const synth = (props: Partial<ReceiverStackProps> = {}, flags: Readonly<Record<string, unknown>> = {}) => {
  const template = Template.fromStack(receiverStack(props, flags))
  const { Resources } = template.toJSON() as { Resources: Record<string, Resource> }
  return {
    template,
    resources: Resources,
    /** The one resource of this type whose logical id begins like this. */
    find(type: string, prefix = ''): Resource {
      const found = Object.entries(Resources).filter(
        ([id, resource]) => resource.Type === type && id.startsWith(prefix),
      )
      const [first] = found
      if (found.length !== 1 || !first)
        throw new Error(`${found.length} resources of type ${type} begin with ${prefix}`)
      return first[1]
    },
  }
}
