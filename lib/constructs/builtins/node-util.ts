export const { inspect } = process.getBuiltinModule('node:util')
