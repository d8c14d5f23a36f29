export const { Agent, get, request } = process.getBuiltinModule('node:https')
