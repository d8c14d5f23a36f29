export const { Agent, request, STATUS_CODES } = process.getBuiltinModule('node:http')
