import { z } from 'zod'
import type { Sources } from '../../lib/providers.ts'

export default {
  orders: {
    provider: 'internal',
    // Of those IAM lets through: unique ids, account ids, ARNs of roles and users. '*' is every one of them.
    allow: ['arn:aws:iam::123456789012:role/checkout'],
    // Any Standard Schema: zod, valibot, arktype.
    schema: z.looseObject({ orderId: z.string(), type: z.string() }),
  },
} satisfies Sources
