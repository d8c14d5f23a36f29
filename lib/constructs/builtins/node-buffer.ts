export const { isUtf8 } = process.getBuiltinModule('node:buffer')
